import { addStudent } from '#contracts/identity'
import { createPayment } from '#contracts/payments'
import { type Canteen, openCanteen, place } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { fileText, tableUnder, yamlFile } from '../support/repository'
import { sweeping } from '../support/school'
import { retentionOf } from './retention-cases'

let canteen: Canteen
let page: string
const email = 'mwila.banda@example.org'

const scrape = async () => (await canteen.visitor().fetch('/metrics')).text()

beforeAll(async () => {
  canteen = await openCanteen({}, sweeping)
  const { parent, children } = await canteen.family('mutale', '2')
  await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  const payer = await canteen.parent('mwila', { email })
  const child = await payer.call(addStudent, { body: { name: 'Chipo', grade: '9' } })
  await payer.call(createPayment, { body: { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] } })
  page = await eventually(async () => {
    const now = await scrape()
    return /tuckshop_sweep_duration_seconds_count/.test(now) && now
  })
})
afterAll(() => canteen.close())

const exposed = () => new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
const family = (name: string) => (exposed().has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))

/** The metrics that an expression of Prometheus' names, as they are exposed. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b((?:tuckshop|http|nodejs|process)_\w+)\b/g)].map(([, name]) => family(name!))

const notExposed = (names: string[]) => [...new Set(names)].filter((name) => !exposed().has(name))

test('every metric of the page on operations is exposed, and every metric of ours is on the page', () => {
  const told = tableUnder(fileText('docs/operations.md'), 'What each metric means').map(([name = '']) =>
    name.replaceAll('`', ''),
  )
  expect(told.length).toBeGreaterThan(30)
  expect(notExposed(told)).toEqual([])
  const ours = [...exposed()].filter((name) => /^(tuckshop|http)_/.test(name))
  expect(ours.filter((name) => !told.includes(name))).toEqual([])
})

test('every label is on the page beside its metric', () => {
  const rows = tableUnder(fileText('docs/operations.md'), 'What each metric means')
  const told = new Map(rows.map(([name = '', labels = '']) => [name.replaceAll('`', ''), labels]))
  const seen = new Map<string, string>()
  for (const [, name, inside] of page.matchAll(/^((?:tuckshop|http)_\w+)\{([^}]*)\}/gm)) {
    const labels = [...inside!.matchAll(/(\w+)="/g)]
      .map(([, label]) => label!)
      .filter((label) => label !== 'le')
    if (labels.length > 0) seen.set(family(name!), labels.join(', '))
  }
  expect(seen.size).toBeGreaterThan(8)
  for (const [name, labels] of seen) expect([name, told.get(name)]).toEqual([name, labels])
})

type Panel = { title: string; targets?: { expr: string }[] }

test('every panel of the dashboard draws what is exposed', () => {
  const { panels } = JSON.parse(fileText('ops/grafana/tuckshop.json')) as { panels: Panel[] }
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(expressions.length).toBeGreaterThan(40)
  expect(expressions.filter((expression) => metricsIn(expression).length === 0)).toEqual([])
  expect(notExposed(expressions.flatMap(metricsIn))).toEqual([])
})

test('every alert looks at what is exposed', () => {
  const { groups } = yamlFile<{ groups: { rules: { alert: string; expr: string }[] }[] }>(
    'ops/prometheus/alerts.yml',
  )
  const expressions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
  const blind = expressions.filter((expr) => !expr.startsWith('up{') && metricsIn(expr).length === 0)
  expect([expressions.length, blind]).toEqual([31, []])
  expect(notExposed(expressions.flatMap(metricsIn))).toEqual([])
})

test('no label holds a person, a child, an order or an address', () => {
  const values = [...page.matchAll(/="((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value!)
  const personal = [email, 'mwila', 'mutale', 'Chipo', '127.0.0.1']
  expect(values.filter((value) => personal.some((word) => value.includes(word)))).toEqual([])
  expect(values.filter((value) => /[0-9a-f]{8}-[0-9a-f]{4}-|\d+\.\d+\.\d+\.\d+\.\d+/.test(value))).toEqual([])
})

const value = (line: string) =>
  page
    .split('\n')
    .find((each) => each.startsWith(`${line} `))
    ?.split(' ')
    .at(-1)
const today = async () => /tuckshop_orders_today\{status="pending"\} (\d+)/.exec(await scrape())?.[1]

test('what happened is counted', () => {
  expect(value('tuckshop_ready')).toBe('1')
  expect(value('tuckshop_attempts{state="initiated"}')).toBe('1')
  expect(value('tuckshop_events_appended_total{type="ordering.lunch-ordered.v1"}')).toBe('1')
  expect(value('tuckshop_projection_failing{projection="views ordering"}')).toBe('0')
  expect(value('tuckshop_projection_active{projection="audit-chain"}')).toBe('1')
  expect(value('tuckshop_card_provider_duration_seconds_count{call="create",answer="created"}')).toBe('1')
})

test('today’s orders are those of the school’s calendar', async () => {
  expect(await today()).toBe('0')
  // Just past midnight in Lusaka it is still Monday in Greenwich.
  canteen.setClock('2026-09-15T00:30:00+02:00')
  expect(await today()).toBe('1')
})

test('the table of what is kept is what the code keeps', () => {
  const told = tableUnder(fileText('docs/operations.md'), 'What is kept for how long')
  expect(Object.fromEntries(told.map(([name = '', kept]) => [name.replaceAll('`', ''), kept]))).toEqual(
    Object.fromEntries(
      retentionOf(canteen)
        .retentions()
        .map(({ name, kept }) => [name, kept]),
    ),
  )
})
