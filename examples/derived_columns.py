"""Columns that a model makes of others, as docs/model-format.md tells it: parts of dates and times, ranks of words."""
import datetime, re
import numpy as np

DATE = ["day", "month", "weekday"]
PARTS = {"date": DATE, "moment": [*DATE, "hour"], "time": ["hour"], "rank": ["rank"]}

def derived_columns(derived, table):  # by their names, as texts; "" is missing, as it is in the table
    return {f"{one['source']} {part}": np.array(
        [cell and str(made_of(cell, one, part)) for cell in table[one["source"]]])
        for one in derived for part in PARTS[one["kind"]]}

def made_of(cell, one, part):
    if part == "rank":
        word = " ".join(cell.lower().replace("_", " ").split())
        return one["order"].index(word) if word in one["order"] else ""
    if one["kind"] == "time":
        return sum(float(x) / 60 ** i for i, x in enumerate(re.split("[-+Zz]", cell)[0].split(":")))
    moment, utc = datetime.datetime.fromisoformat(cell.upper()), datetime.timezone.utc
    moment = moment.astimezone(utc) if moment.tzinfo else moment.replace(tzinfo=utc)
    days = moment.timestamp() / 86400
    return {"day": days - one.get("origin", 0), "month": moment.month, "weekday": moment.isoweekday(),
            "hour": days % 1 * 24}[part]
