// Claude Code's shipped types, read by the TypeScript compiler (NODE_PATH names both packages).
//   node shapes.js                  prints [[type, value]…]: of each tool's output values with and without its optional fields
//   node shapes.js < [[type, value]…]   prints the compiler's complaints about these values, one a line
"use strict";
const fs = require("fs"), os = require("os"), path = require("path"), ts = require("typescript");

const types = process.env.NODE_PATH.split(path.delimiter)
  .map((folder) => path.join(folder, "@anthropic-ai/claude-agent-sdk/sdk-tools.d.ts"))
  .find(fs.existsSync);
const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022 };
const LONG = Array.from({ length: 400 }, (_, n) => `2026-01-01 00:00:00 INFO unit step ${n} ok`).join("\n");
const { TypeFlags } = ts, DEEPEST = 8;

function values() {
  const program = ts.createProgram([types], options), checker = program.getTypeChecker();
  const made = (type, whole, depth) => {
    if (type.isUnion()) {
      const kinds = type.types.filter((kind) => !(kind.flags & TypeFlags.Undefined));
      return made(kinds[whole ? kinds.length - 1 : 0], whole, depth);
    }
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
    if (type.flags & TypeFlags.BooleanLiteral) return checker.typeToString(type) === "true";
    if (type.flags & TypeFlags.Null) return null;
    if (type.flags & TypeFlags.NumberLike) return 1;
    if (type.flags & TypeFlags.BooleanLike) return whole;
    if (!(type.flags & TypeFlags.Object) && !type.isIntersection()) return LONG;
    if (checker.isTupleType(type)) return checker.getTypeArguments(type).map((each) => made(each, whole, depth + 1));
    if (checker.isArrayType(type)) {
      return depth < DEEPEST ? [made(checker.getTypeArguments(type)[0], whole, depth + 1)] : [];
    }
    const fields = {}, index = type.getStringIndexType();
    if (index && whole) fields.key = made(index, whole, depth + 1);
    for (const field of checker.getPropertiesOfType(type)) {
      if (!whole && field.flags & ts.SymbolFlags.Optional) continue;
      fields[field.name] = made(checker.getTypeOfSymbol(field), whole, depth + 1);
    }
    return fields;
  };
  const module = checker.getSymbolAtLocation(program.getSourceFile(types));
  return checker
    .getExportsOfModule(module)
    .filter((each) => each.name.endsWith("Output"))
    .flatMap((each) => {
      const type = checker.getDeclaredTypeOfSymbol(each);
      const kinds = type.isUnion() ? type.types : [type];
      return kinds.flatMap((kind) => [true, false].map((whole) => [each.name, made(kind, whole, 0)]));
    });
}

function complaints(pairs) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "shapes-")), file = path.join(folder, "values.ts");
  const lines = pairs.map(([type, value], n) => `export const v${n}: T.${type} = ${JSON.stringify(value)};`);
  fs.writeFileSync(file, `import type * as T from ${JSON.stringify(types.replace(/\.d\.ts$/, ""))};\n${lines.join("\n")}\n`);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  fs.rmSync(folder, { recursive: true });
  return found.map((each) => ts.flattenDiagnosticMessageText(each.messageText, "\n").slice(0, 400));
}

const input = fs.readFileSync(0, "utf8");
console.log(input.trim() ? complaints(JSON.parse(input)).join("\n") : JSON.stringify(values()));
