"""Finds the places of a source where a mistake can be made, and what mistake. Needs libclang (pip install libclang==14.0.6)."""

import re

from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

RELATIONAL = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"}
LOGICAL = {"&&": "||", "||": "&&"}
COMPOUND = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
INTEGERS = {TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.SHORT,
            TypeKind.USHORT, TypeKind.UCHAR, TypeKind.SCHAR}
NUMBERS = INTEGERS | {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE}
# Texts for people: what they say is not computed with.
TEXTS = {"fail", "fail_as", "fail_file", "fail_option", "fail_at", "format", "note", "warn", "Error"}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.FUNCTION_TEMPLATE,
             Kind.CONVERSION_FUNCTION}
BODIES = {Kind.IF_STMT, Kind.FOR_STMT, Kind.CXX_FOR_RANGE_STMT, Kind.WHILE_STMT, Kind.DO_STMT}
JUMPS = {Kind.BREAK_STMT, Kind.CONTINUE_STMT}
EMPTY_RETURNS = {"0", "{}", "false", "nullptr", "std::nullopt", "0.0", '""'}
CLASSES_WITH_NOTHING = re.compile(r"^(const )?(std::(__cxx11::)?(vector|basic_string|optional|map|set|function|shared_ptr|unique_ptr)\b|nlohmann::)")


def flat(text):
    """On one line, without comments, so that what is added to a source does not move its lines."""
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"\s+", " ", text).strip()


def kind_of(cursor):
    return cursor.type.get_canonical().kind


def is_number(cursor):
    return kind_of(cursor) in NUMBERS


class Finder:
    """The places in one translation unit that lie in the wanted files: dictionaries with file, start, end, kind, to."""

    def __init__(self, wanted):
        self.wanted = wanted  # path -> text, in bytes since libclang counts those
        self.places = {}

    def add(self, path, start, end, kind, to, form="expression"):
        key = (path, start, end, kind, to)
        before = flat(self.wanted[path][start:end].decode())
        if flat(to) != before:
            self.places.setdefault(key, dict(file=path, start=start, end=end, kind=kind, before=before, to=to, form=form))

    def find(self, unit):
        for cursor in unit.cursor.get_children():
            self.outside(cursor)
        return self.places

    def here(self, cursor):
        """The wanted file that the cursor lies in, or None."""
        file = cursor.location.file
        return file.name if file and file.name in self.wanted else None

    def outside(self, cursor):
        """Down to the bodies of functions: constants and defaults outside of them are no places."""
        if cursor.kind in (Kind.NAMESPACE, Kind.UNEXPOSED_DECL, Kind.LINKAGE_SPEC):
            if cursor.kind == Kind.NAMESPACE and cursor.spelling not in ("", "coppice"):
                return
            for child in cursor.get_children():
                self.outside(child)
        elif cursor.kind in (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION):
            if self.here(cursor):
                for child in cursor.get_children():
                    self.outside(child)
        elif cursor.kind in FUNCTIONS and self.here(cursor):
            for child in cursor.get_children():
                if child.kind == Kind.COMPOUND_STMT:
                    self.inside(child, cursor.location.file.name, None, False)

    def text(self, path, cursor):
        return self.wanted[path][cursor.extent.start.offset:cursor.extent.end.offset].decode(errors="replace")

    def inside(self, cursor, path, parent, in_lambda):
        if not cursor.extent.start.file or cursor.extent.start.file.name != path:
            return
        kind = cursor.kind
        if kind == Kind.CALL_EXPR and cursor.spelling in TEXTS or kind in (Kind.CXX_THROW_EXPR, Kind.STATIC_ASSERT):
            return
        if kind == Kind.VAR_DECL and self.constant(path, cursor):
            return
        children = list(cursor.get_children())
        if kind == Kind.VAR_DECL:  # not what its type is made with
            children = [c for c in children if c.extent.start.offset >= cursor.location.offset]
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.binary(path, cursor, *children)
        elif kind == Kind.UNARY_OPERATOR and len(children) == 1:
            self.unary(path, cursor, children[0])
        elif kind in (Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL):
            self.literal(path, cursor, parent)
        elif kind == Kind.CXX_BOOL_LITERAL_EXPR and self.text(path, cursor) in ("true", "false"):
            other = "false" if self.text(path, cursor) == "true" else "true"
            self.add(path, cursor.extent.start.offset, cursor.extent.end.offset, "constant", other)
        elif kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.CONDITIONAL_OPERATOR):
            if self.text(path, cursor).startswith("if constexpr"):
                children = [c for c in children if not c.kind.is_expression()]
            else:
                self.condition(path, cursor, children)
        elif kind == Kind.RETURN_STMT and children:
            self.returned(path, children[0], in_lambda)
        if kind == Kind.COMPOUND_STMT or kind in BODIES:
            bodies = children if kind == Kind.COMPOUND_STMT else children[-2:] if kind == Kind.IF_STMT else children[-1:]
            for child in bodies:
                self.statement(path, child)
        if kind == Kind.CASE_STMT:
            children = children[1:]
        for child in children:
            self.inside(child, path, cursor, in_lambda or kind == Kind.LAMBDA_EXPR)

    def constant(self, path, cursor):
        """Whether the compiler computes this variable's value."""
        text = self.text(path, cursor)
        if "constexpr" in text.split("=")[0]:
            return True
        if not cursor.type.is_const_qualified() or kind_of(cursor) not in INTEGERS:
            return False
        used = (Kind.DECL_REF_EXPR, Kind.CALL_EXPR, Kind.MEMBER_REF_EXPR)
        return not any(c.kind in used for c in cursor.walk_preorder())

    def binary(self, path, cursor, left, right):
        between = self.wanted[path][left.extent.end.offset:right.extent.start.offset].decode(errors="replace")
        operator = flat(between)
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        numbers = is_number(left) and is_number(right)
        if operator in RELATIONAL:
            to, kind = RELATIONAL[operator], "relational"
            if kind_of(left) in (TypeKind.DEPENDENT, TypeKind.UNEXPOSED) and operator not in ("==", "!="):
                numbers = True
        elif operator in LOGICAL:
            to, kind = LOGICAL[operator], "boolean"
        elif operator in ARITHMETIC and numbers:
            if operator == "%" and flat(self.text(path, right)) == "0":
                return
            to, kind = ARITHMETIC[operator], "arithmetic"
        elif operator in COMPOUND and numbers:
            to, kind = COMPOUND[operator], "arithmetic"
        else:
            return
        source = self.wanted[path]
        a, b = source[start:left.extent.end.offset].decode(), source[right.extent.start.offset:end].decode()
        self.add(path, start, end, kind, f"{flat(a)} {to} {flat(b)}")

    def unary(self, path, cursor, operand):
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        sign = self.wanted[path][start:operand.extent.start.offset].decode(errors="replace").strip()
        if sign == "-" and is_number(operand):
            self.add(path, start, end, "sign", flat(self.text(path, operand)))
        elif sign == "!":
            self.add(path, start, end, "boolean", f"bool({flat(self.text(path, operand))})")

    def literal(self, path, cursor, parent):
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        text = self.text(path, cursor)
        if not re.fullmatch(r"[0-9][0-9a-fA-FxX.'eE+-]*[uUlLfF]*", text) or not is_number(cursor):
            return
        if parent.kind in (Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.TYPE_REF):
            return
        if self.wanted[path][start - 1:start] == b"<":
            return
        self.add(path, start, end, "constant", f"{text} + 1")

    def condition(self, path, cursor, children):
        for child in children[:2]:
            if not child.kind.is_expression():
                continue
            start, end = child.extent.start.offset, child.extent.end.offset
            after = self.wanted[path][end:end + 40].decode(errors="replace").lstrip()
            if not after.startswith("?" if cursor.kind == Kind.CONDITIONAL_OPERATOR else ")"):
                return
            text = flat(self.text(path, child))
            # Whose opposite is a mutant already.
            if text.startswith("!") and re.fullmatch(r"![\w.:>()-]*", text):
                return
            inner = child
            while inner.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR) and len(list(inner.get_children())) == 1:
                inner = next(inner.get_children())
            if inner.kind == Kind.BINARY_OPERATOR and re.search(r"[=!]=", text) and not re.search(r"&&|\|\|", text):
                return
            if inner.kind == Kind.CXX_BOOL_LITERAL_EXPR:
                return
            self.add(path, start, end, "boolean", f"!({text})", "condition")
            return

    def returned(self, path, value, in_lambda):
        start, end = value.extent.start.offset, value.extent.end.offset
        text = flat(self.text(path, value))
        if text in EMPTY_RETURNS or not text:
            return
        if kind_of(value) == TypeKind.BOOL:
            if not text.startswith("!") and text != "true" and not re.search(r"[=!]=", text):
                self.add(path, start, end, "return", f"!({text})")
        elif is_number(value):
            self.add(path, start, end, "return", "0")
        elif not in_lambda and CLASSES_WITH_NOTHING.match(value.type.get_canonical().spelling):
            # The whole statement; a braced list is text, too.
            self.add(path, self.wanted[path].rindex(b"return", 0, start), self.after(path, end), "return", "return {};", "statement")

    def after(self, path, end):
        """Behind the semicolon that follows."""
        found = re.compile(rb"\s*;").match(self.wanted[path], end)
        return found.end() if found else end

    def statement(self, path, cursor):
        if not cursor.extent.start.file or cursor.extent.start.file.name != path:
            return
        inner = cursor
        while inner.kind == Kind.UNEXPOSED_EXPR and len(list(inner.get_children())) == 1:  # what is cleaned up after it
            inner = next(inner.get_children())
        kinds = {Kind.CALL_EXPR, Kind.UNARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.BINARY_OPERATOR, Kind.CXX_THROW_EXPR}
        if inner.kind not in kinds and cursor.kind not in JUMPS or inner.spelling in ("note", "warn"):
            return
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        behind = self.after(path, end)
        if behind == end or "(void)" in self.text(path, cursor):
            return
        self.add(path, start, behind, "deletion", "", "deletion")
