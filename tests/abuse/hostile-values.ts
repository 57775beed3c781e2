import * as fc from 'fast-check'

export const sqlWords = [
  "' OR '1'='1",
  "'; DROP TABLE identity.users; --",
  '1) UNION SELECT null, version() --',
  "\\'; SELECT pg_sleep(30); --",
  '%',
  '_',
  '\\',
  '%27',
  '${7*7}',
  '{{7*7}}',
]
const markup = '<img src=x onerror="window.stolen=1">'
const scripts = [
  markup,
  '<script>window.stolen=1</script>',
  '"><svg onload=window.stolen=1>',
  'javascript:window.stolen=1',
]
const paths = ['../../../../etc/passwd', '..%2f..%2fetc%2fpasswd', '/etc/passwd', 'C:\\boot.ini', '.', '..']
const texts = [
  '',
  ' ',
  '\0',
  'nul\0byte',
  '\ud800',
  '\udc00alone',
  '\u0007\u001b[31m\r\nSet-Cookie: a=b',
  '\ufeff',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e999',
  '0x10',
  '٣',
  '9'.repeat(30),
  'x'.repeat(3_000),
  'ü'.repeat(20_000),
  '😀'.repeat(5_000),
  '2026-02-30',
  '+275760-09-13T00:00:00Z',
  '9999-99-99',
  '0000-01-01',
]
const numbers = [
  -1,
  0,
  -0,
  0.5,
  1.005,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  1e15,
  1e16,
  Number.MAX_SAFE_INTEGER,
  1e21,
  1e308,
  -1e308,
  5e-324,
]

const nested = (depth: number): unknown => {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const structures = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { length: 5 },
  { $gt: '' },
  { toString: 'no function' },
  JSON.parse('{"then":1}') as unknown,
  JSON.parse('{"__proto__":{"isSuperadmin":true},"constructor":{"prototype":{"role":"admin"}}}') as unknown,
  Array.from({ length: 3_000 }, () => 1),
  nested(200),
  nested(3_000),
]

/** Values that no form of ours sends. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts, ...sqlWords, ...scripts, ...paths) },
  { weight: 3, arbitrary: fc.constantFrom(...numbers) },
  { weight: 3, arbitrary: fc.constantFrom(...structures) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
)

/** Texts that no form of ours sends. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts, ...sqlWords, ...scripts, ...paths),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

type Act = 'replace' | 'remove' | 'add' | 'repeat'
type Place = { holder: Record<string, unknown>; key: string }

/** A value with one thing wrong in it: somewhere a part is another, is missing, is new or is there many times. */
export const spoilt = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, fc.nat(), hostile, fc.constantFrom<Act>('replace', 'replace', 'remove', 'add', 'repeat'))
    .map(([value, pick, instead, act]) => {
      const copy: { all: unknown } = structuredClone({ all: value })
      const places = placesIn(copy)
      spoil(places[pick % places.length]!, act, instead)
      return copy.all
    })

const placesIn = (holder: object): Place[] =>
  Object.keys(holder).flatMap((key) => {
    const inner = (holder as Record<string, unknown>)[key]
    const deeper = typeof inner === 'object' && inner !== null ? placesIn(inner) : []
    return [{ holder: holder as Record<string, unknown>, key }, ...deeper]
  })

const spoil = ({ holder, key }: Place, act: Act, instead: unknown) => {
  const old = holder[key]
  if (act === 'replace') holder[key] = instead
  else if (act === 'remove') delete holder[key]
  else if (act === 'repeat') holder[key] = Array.from({ length: 250 }, () => old)
  else if (typeof old === 'object' && old !== null && !Array.isArray(old))
    Object.assign(old, {
      isSuperadmin: true,
      role: 'admin',
      userId: 1,
      [typeof instead === 'string' ? instead : 'unasked']: instead,
    })
  else holder[key] = [old, instead]
}
