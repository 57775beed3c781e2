import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type Endpoint, nothing } from '#contracts/endpoint'
import { hostile, hostileText, spoilt } from './hostile-values'
import { type Known, valuesOf } from './schema-values'

const folder = join(__dirname, '../../src/contracts')

/** Every contract that src/contracts exports, in whatever file. */
export const allContracts = (): Endpoint[] =>
  readdirSync(folder)
    .flatMap((file) => Object.values(require(join(folder, file)) as Record<string, Endpoint>))
    .filter((value) => value && value.method && value.path && value.reply)

export type FuzzRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/** A route as the fuzz sees it: where it is, what it reads, and `form` for what is sent as something else than JSON. */
export type Target = Pick<Endpoint, 'method' | 'path' | 'params' | 'query' | 'body'> & {
  form?: { type: string; bodies: fc.Arbitrary<string | Buffer> }
  /** Bodies that went through once, to be spoilt. */
  seen?: readonly unknown[]
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json+bogus',
  '',
]
const brokenJson = [
  '{',
  '{"a":',
  '[1,',
  '"',
  'undefined',
  '{"a":1}{"b":2}',
  "{'a':1}",
  '\0',
  '[NaN]',
  '﻿',
  'nul',
]

/** Requests to a route as its contract wants them. */
export const soundRequestsTo = (target: Target, known: Known): fc.Arbitrary<FuzzRequest> =>
  asked({
    methods: fc.constant<string>(target.method),
    addresses: soundAddresses(target, known),
    bodies: soundBodies(target, known),
  })

/** Requests to a route: sound ones, ones with a single fault, and ones that were never meant for it. */
export const requestsTo = (target: Target, known: Known): fc.Arbitrary<FuzzRequest> => {
  const { method } = target
  const [address, bodies] = [soundAddresses(target, known), soundBodies(target, known)]
  const sound = { methods: fc.constant<string>(method), addresses: address, bodies }
  return fc.oneof(
    { weight: 5, arbitrary: asked(sound) },
    { weight: 3, arbitrary: asked({ ...sound, bodies: spoiltBodies(target, known) }) },
    { weight: 2, arbitrary: asked({ ...sound, addresses: strangeAddresses(target, known) }) },
    { weight: 1, arbitrary: asked({ ...sound, bodies: wrongBodies() }) },
    { weight: 1, arbitrary: asked({ ...sound, methods: fc.constantFrom(...methods) }) },
  )
}

const asked = (parts: Parts) => fc.tuple(parts.methods, parts.addresses, headers(), parts.bodies).map(joined)

type Parts = {
  methods: fc.Arbitrary<string>
  addresses: fc.Arbitrary<string>
  bodies: fc.Arbitrary<Body>
}
type Body = { type: string | null; content: string | Buffer | undefined }

const joined = ([method, path, sent, { type, content }]: [string, string, Record<string, string>, Body]) => ({
  method,
  path,
  headers: type === null ? sent : { ...sent, 'content-type': type },
  body: content,
})

const sentHeaders: Record<string, string>[] = [
  ...Array.from({ length: 20 }, () => ({ 'user-agent': 'Mozilla/5.0' })),
  {},
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'x, ,;q=' },
  { 'idempotency-key': 'key-1' },
  { 'idempotency-key': 'k'.repeat(201) },
  { 'x-request-id': '../../<b>' },
  { cookie: 'tuckshop.session=__proto__; tuckshop.session.sig=x' },
  { range: 'bytes=0-0,9999999999-' },
  { 'x-http-method-override': 'DELETE' },
]
const headers = () => fc.constantFrom(...sentHeaders)

const json = (value: unknown): Body => ({
  type: 'application/json',
  content: value === undefined ? undefined : JSON.stringify(value),
})

const soundBodies = (target: Target, known: Known): fc.Arbitrary<Body> =>
  target.form ? formBodies(target.form) : goodValues(target, known).map(json)

const spoiltBodies = (target: Target, known: Known): fc.Arbitrary<Body> =>
  target.form
    ? formBodies(target.form)
    : fc
        .oneof({ weight: 4, arbitrary: spoilt(goodValues(target, known)) }, { weight: 1, arbitrary: hostile })
        .map(json)

const goodValues = ({ body, path, seen = [] }: Target, known: Known) => {
  const made = valuesOf(body, known, path)
  return seen.length > 0 ? fc.oneof(made, fc.constantFrom(...seen)) : made
}

const formBodies = ({ type, bodies }: NonNullable<Target['form']>): fc.Arbitrary<Body> =>
  bodies.map((content) => ({ type, content }))

const wrongBodies = (): fc.Arbitrary<Body> =>
  fc.oneof(
    fc.constantFrom(...brokenJson).map((content) => ({ type: 'application/json', content })),
    fc.tuple(fc.constantFrom(...otherTypes), hostileText).map(([type, content]) => ({ type, content })),
    fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => ({ type: 'application/json', content: Buffer.from(bytes) })),
    fc.constant({ type: 'application/json', content: `"${'x'.repeat(300_000)}"` }),
    fc.constant({ type: 'application/json', content: '['.repeat(100_000) }),
  )

const soundAddresses = ({ path, params, query }: Target, known: Known): fc.Arbitrary<string> =>
  fc
    .tuple(valuesOf(params, known, path), query === nothing ? fc.constant({}) : valuesOf(query, known, path))
    .map(([values, asked]) => address(path, values, asked))

const tails = ['', '', '', '/', '%00', '%zz', '/..%2f', ';a=b', '/../../x', '//']

const strangeAddresses = ({ path, params, query }: Target, known: Known): fc.Arbitrary<string> => {
  const names = namesIn(path)
  const given = fc.oneof(valuesOf(params, known, path), strange(names))
  const asked = fc.oneof(
    strange(query === nothing ? ['page', '__proto__'] : keysOf(query)),
    spoilt(query === nothing ? fc.constant({}) : valuesOf(query, known, path)),
  )
  return fc
    .tuple(given, asked, fc.constantFrom(...tails))
    .map(([values, search, tail]) => address(path + tail, values, search))
}

const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

const address = (path: string, values: unknown, asked: unknown) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) =>
    written((values as Record<string, unknown> | undefined)?.[name]),
  ) + queryString(asked)

const keysOf = (schema: Target['query']) => {
  const shape = (schema as unknown as { def?: { shape?: object } }).def?.shape
  return Object.keys(shape ?? { page: 0 })
}

const strange = (names: string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(names.map((name) => [name, hostileText])))

// What comes after some thousand characters would only meet the limit on headers, which has a test of its own.
const longest = 3_000

/** Text as it can stand in an address, whatever is in it. */
const written = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(Buffer.from(text.slice(0, longest), 'utf8').toString('utf8')).slice(0, longest)
}

const queryString = (asked: unknown): string => {
  if (typeof asked !== 'object' || asked === null) return asked === undefined ? '' : `?${written(asked)}`
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.slice(0, 20) : [value]).map((one) => `${written(name)}=${written(one)}`),
  )
  return pairs.length > 0 ? `?${pairs.join('&').slice(0, longest)}` : ''
}
