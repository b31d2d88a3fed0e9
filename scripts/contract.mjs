// Generate src/wire/schema.ts from the wire contract; with --check fail if the file is not what the contract says.
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

const CONTRACT = new URL('../contract/wire.schema.json', import.meta.url);
const TARGET = new URL('../src/wire/schema.ts', import.meta.url);
const BANNER = `/**
 * The wire contract as types.
 * Generated from contract/wire.schema.json by \`jlpm contract\`: change that file, not this one.
 */`;

async function generate() {
  const schema = JSON.parse(await readFile(CONTRACT, 'utf8'));
  return compile(schema, 'Wire', {
    bannerComment: BANNER,
    additionalProperties: false,
    // Else an array of at most 200 entries becomes a union of 200 tuples.
    ignoreMinAndMaxItems: true,
    strictIndexSignatures: true,
    style: { singleQuote: true, trailingComma: 'none', arrowParens: 'avoid' }
  });
}

const expected = await generate();
if (process.argv.includes('--check')) {
  const actual = await readFile(TARGET, 'utf8').catch(() => '');
  if (actual !== expected) {
    console.error(
      'src/wire/schema.ts differs from contract/wire.schema.json: run `jlpm contract` and commit the result.'
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(TARGET, expected);
}
