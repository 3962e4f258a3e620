import fc from 'fast-check';

const megabyte = 1024 * 1024;

/** Hostile strings for any text field. */
const strings: Record<string, string> = {
  empty: '',
  blank: ' ',
  NUL: 'a\0b',
  'lone surrogate': 'a\ud800b',
  'byte order mark': '\ufeff',
  'right-to-left override': '\u202egpj.exe',
  'year 0000': '0000-01-01T00:00:00Z',
  'leap second': '9999-12-31T23:59:60Z',
  'negative year': '-271821-04-20T00:00:00Z',
  'year 275760': '+275760-09-13T00:00:00Z',
  'far year': '9999-12-31T23:59:59Z',
  SQL: `';drop table member;--`,
  'percent and underscore': '%_\\%',
  'name of a prototype': '__proto__',
  constructor: 'constructor',
  'path upwards': '../../etc/passwd',
  'minus one': '-1',
  zero: '0',
  'a billion': '1e9',
  'past bigint': '99999999999999999999',
  'not a number': 'NaN',
  infinity: 'Infinity',
  hexadecimal: '0x10',
  'nil uuid': '00000000-0000-0000-0000-000000000000',
  'upper-case uuid': 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
  'cursor of the year 0000': '0000-01-01T00:00:00Z_00000000-0000-0000-0000-000000000000',
  'cursor past every year': '999999-12-31T00:00:00Z_00000000-0000-0000-0000-000000000000',
  'cursor that is no time': '1-1-1_00000000-0000-0000-0000-00000000000g',
  'cursor of one digit': '1_------------------------------------',
  'many commas': ','.repeat(3000),
};

/** Hostile JSON texts. Some of them exist only as text. */
export const hostileJson: Record<string, string> = {
  ...Object.fromEntries(Object.entries(strings).map(([name, value]) => [name, JSON.stringify(value)])),
  null: 'null',
  true: 'true',
  'number minus one': '-1',
  'number zero': '0',
  fraction: '1.5',
  'number past integer': '2147483648',
  'number past every double': '1e400',
  'list of nothing': '[]',
  'object of nothing': '{}',
  'object with a prototype': '{"__proto__":{"polluted":true}}',
  'object with a constructor': '{"constructor":{"prototype":{"polluted":true}}}',
  '10 000 numbers': `[${'1,'.repeat(9_999)}1]`,
  '10 000 strings': `[${'"a@b.example",'.repeat(9_999)}"a"]`,
  '10 000 levels': '['.repeat(10_000) + ']'.repeat(10_000),
  'half a megabyte': JSON.stringify('a'.repeat(megabyte / 2)),
};

/** Hostile bodies with their content types. */
export const hostileBodies: Record<string, { type?: string; encoding?: string; body: string | Buffer }> = {
  nothing: { type: 'application/json', body: '' },
  'no content type': { body: '{}' },
  'plain text': { type: 'text/plain', body: '{}' },
  form: { type: 'application/x-www-form-urlencoded', body: 'a=b' },
  XML: { type: 'application/xml', body: '<a/>' },
  'half a document': { type: 'application/json', body: '{"a":' },
  'two documents': { type: 'application/json', body: '{}{}' },
  'a byte order mark': { type: 'application/json', body: '\ufeff{}' },
  'bytes that are no UTF-8': { type: 'application/json', body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
  'a string of one megabyte': { type: 'application/json', body: JSON.stringify('a'.repeat(megabyte)) },
  '10 000 levels': { type: 'application/json', body: '{"a":'.repeat(10_000) + 1 + '}'.repeat(10_000) },
  'a key twice': { type: 'application/json', body: '{"a":1,"a":2}' },
  'a prototype': { type: 'application/json', body: '{"__proto__":{"polluted":true}}' },
  null: { type: 'application/json', body: 'null' },
  'a number': { type: 'application/json', body: '42' },
  'a list of null': { type: 'application/json', body: '[null]' },
  'gzip said, none sent': { type: 'application/json', encoding: 'gzip', body: '{}' },
};

/** Hostile parts of an address, encoded for transfer. */
export const hostileAddressParts: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(strings)
      .filter(([, value]) => value.isWellFormed())
      .map(([name, value]) => [name, encodeURIComponent(value)]),
  ),
  'lone surrogate': '%ED%A0%80',
  'overlong slash': '%C0%AF',
  'half an escape': '%',
  'encoded path upwards': '..%2f..%2fetc%2fpasswd',
  'encoded dots': '%2e%2e',
  'very long': 'a'.repeat(8_000),
};

/** Any JSON text, rarely a valid one. */
export const anyJsonText = fc.oneof(
  fc.constantFrom(...Object.values(hostileJson).filter((text) => text.length < 10_000)),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => JSON.stringify(String.fromCharCode(...units))),
  fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date)),
);

/** Any part of an address, encoded. */
export const anyAddressPart = fc.oneof(
  fc.constantFrom(...Object.values(hostileAddressParts)),
  fc.string({ unit: 'binary', maxLength: 60 }).map(encodeURIComponent),
  fc
    .array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 })
    .map((bytes) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
);
