// Runs an ONNX file with onnxruntime-web's WebAssembly: node web.mjs ORT.mjs MODEL.onnx <FEED.json >ANSWERS.json
// FEED: {name: {type: "float32"|"float64"|"int64"|"string", dims: [...], data: [...]}}, "NaN" for what JSON cannot write.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const types = { float32: 1, int64: 7, string: 8, float64: 11 };
const bytes = { float32: 4, int64: 8, float64: 8 };

const [, , script, file] = process.argv;
const ort = await (await import(pathToFileURL(script))).default({ wasmBinary: readFileSync(script.replace(/\.mjs$/, ".wasm")), numThreads: 1 });
const pointer = ort.PTR_SIZE ?? 4;

function check(code, what) {
  if (code !== 0) {
    const told = ort._malloc(2 * pointer);
    ort._OrtGetLastError(told, told + pointer);
    throw new Error(`${what}: ${ort.UTF8ToString(ort.getValue(told + pointer, "*"))}`);
  }
}

function text(words) {
  const size = ort.lengthBytesUTF8(words) + 1;
  const at = ort._malloc(size);
  ort.stringToUTF8(words, at, size);
  return at;
}

function pointers(values) {
  const at = ort._malloc(Math.max(1, values.length) * pointer);
  values.forEach((value, i) => ort.setValue(at + i * pointer, value, "*"));
  return at;
}

function tensor({ type, dims, data }) {
  let at, size;
  if (type === "string") {
    at = pointers(data.map(text));
    size = data.length * pointer;
  } else {
    const numbers = type === "int64" ? BigInt64Array.from(data, BigInt) : (type === "float32" ? Float32Array : Float64Array).from(data, Number);
    size = data.length * bytes[type];
    at = ort._malloc(Math.max(1, size));
    ort.HEAPU8.set(new Uint8Array(numbers.buffer), at);
  }
  const made = ort._OrtCreateTensor(types[type], at, size, pointers(dims), dims.length, 1);
  check(made === 0 ? 1 : 0, "an input");
  return made;
}

function read(made) {
  const told = ort._malloc(4 * pointer);
  check(ort._OrtGetTensorData(made, told, told + pointer, told + 2 * pointer, told + 3 * pointer), "an output");
  const [kind, at, dims, rank] = [0, 1, 2, 3].map((i) => ort.getValue(told + i * pointer, i === 0 ? "i32" : "*"));
  const shape = Array.from({ length: rank }, (_, i) => ort.getValue(dims + i * pointer, "*"));
  const count = shape.reduce((a, b) => a * b, 1);
  const type = Object.keys(types).find((name) => types[name] === kind);
  if (type === "string") {
    // One after another, without ends.
    const begin = (i) => ort.getValue(at + i * pointer, "*");
    const end = (i) => (i + 1 < count ? begin(i + 1) - begin(i) : undefined);
    return { type, dims: shape, data: Array.from({ length: count }, (_, i) => ort.UTF8ToString(begin(i), end(i))) };
  }
  const memory = ort.HEAPU8.slice(at, at + count * bytes[type]).buffer;
  const numbers = type === "int64" ? new BigInt64Array(memory) : type === "float32" ? new Float32Array(memory) : new Float64Array(memory);
  return { type, dims: shape, data: Array.from(numbers, (value) => (Number.isNaN(value) ? "NaN" : Number(value))) };
}

check(ort._OrtInit(1, 3), "starting");
const options = ort._OrtCreateSessionOptions(99, 1, 1, 0, 0, 0, text("coppice"), 3, 0, 0);
const model = readFileSync(file);
const at = ort._malloc(model.length);
ort.HEAPU8.set(model, at);
const session = await ort._OrtCreateSession(at, model.length, options);
check(session === 0 ? 1 : 0, file);
const counts = ort._malloc(2 * pointer);
check(ort._OrtGetInputOutputCount(session, counts, counts + pointer), file);
const [inputs, outputs] = [0, 1].map((i) => ort.getValue(counts + i * pointer, "*"));
const names = Array.from({ length: inputs + outputs }, (_, i) => {
  const told = ort._malloc(2 * pointer);
  check(ort._OrtGetInputOutputMetadata(session, i, told, told + pointer), file);
  return ort.UTF8ToString(ort.getValue(told, "*"));
});
const feed = JSON.parse(readFileSync(0, "utf8"));
const given = Object.keys(feed);
const wanted = names.slice(inputs);
const answers = pointers(wanted.map(() => 0));
check(await ort._OrtRun(session, pointers(given.map(text)), pointers(given.map((name) => tensor(feed[name]))), given.length, pointers(wanted.map(text)), wanted.length, answers, 0), "running");
const said = Object.fromEntries(wanted.map((name, i) => [name, read(ort.getValue(answers + i * pointer, "*"))]));
process.stdout.write(JSON.stringify(said), () => process.exit(0));
