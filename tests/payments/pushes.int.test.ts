import { addStudent } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { sweepCardPayments } from '../support/card-sweeps'
import { eventually } from '../support/eventually'

let canteen: Canteen
const secret = 'push-secret-of-the-test'
beforeAll(async () => {
  canteen = await openCanteen({ DPO_PUSH_SECRET: secret })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const push = (body: string, to = secret) =>
  canteen.visitor().fetch(`/api/payments/push/${to}`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml', origin: 'https://elsewhere.test' },
    body,
  })
const about = (token: string, result = '000') =>
  `<?xml version="1.0"?><API3G><Result>${result}</Result><TransactionToken>${token}</TransactionToken></API3G>`
const inbox = async (token: string | null) => {
  const { rows } = await canteen.infrastructure.database.pool.query<{ state: string; raw: string }>(
    'select state, raw from payments.push_inbox where token is not distinct from $1 order by received_at, id',
    [token],
  )
  return rows
}
const sweep = async () => expect(await sweepCardPayments(canteen.modules)).toEqual([])
const stewPaid = async (username: string) => {
  const parent = await canteen.parent(username, { email: `${username}@example.org` })
  const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
  const body = { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] }
  return { parent, ...(await parent.call(createPayment, { body })) }
}

test('a forged push of a payment that is not paid orders nothing', async () => {
  const { parent, TransToken } = await stewPaid('mwila')
  const answer = await push(about(TransToken))
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'OK',
  ])
  await sweep()
  await eventually(async () => (await inbox(TransToken))[0]?.state === 'done')
  expect(await parent.call(listOrders)).toEqual([])
})

test('the same push ten times is one set of orders', async () => {
  const { parent, TransToken } = await stewPaid('grace')
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'outcome=pay&card=4111111111111111',
  })
  await Promise.all(Array.from({ length: 10 }, () => push(about(TransToken))))
  await sweep()
  await eventually(async () => (await inbox(TransToken)).every(({ state }) => state === 'done'))
  // The payment is settled; its orders follow by themselves.
  await eventually(async () => expect(await parent.call(listOrders)).toHaveLength(1))
})

test('a push that comes looks into itself alone; those that nobody looked into are for the sweep', async () => {
  const forgotten = await stewPaid('bwalya')
  const rung = await stewPaid('thoko')
  await canteen.infrastructure.database.pool.query(
    `insert into payments.push_inbox (id, received_at, raw, token, state)
     values (gen_random_uuid(), '2026-09-14T04:59:00Z', '', $1, 'waiting')`,
    [forgotten.TransToken],
  )
  await push(about(rung.TransToken))
  await eventually(async () => (await inbox(rung.TransToken))[0]?.state === 'done')
  expect(await inbox(forgotten.TransToken)).toMatchObject([{ state: 'waiting' }])
  await sweep()
  expect(await inbox(forgotten.TransToken)).toMatchObject([{ state: 'done' }])
})

test('a wrong secret is not found, and nothing is kept', async () => {
  expect((await push(about('SOME-TOKEN'), 'guess')).status).toBe(404)
  expect(await inbox('SOME-TOKEN')).toEqual([])
})

test('an unknown token is answered OK, waited for for ten minutes, and put away', async () => {
  expect((await push(about('FOREIGN-TOKEN'))).status).toBe(200)
  canteen.setClock('2026-09-14T07:09:59+02:00')
  await sweep()
  expect((await inbox('FOREIGN-TOKEN'))[0]?.state).toBe('waiting')
  canteen.setClock('2026-09-14T07:10:00+02:00')
  await sweep()
  expect((await inbox('FOREIGN-TOKEN'))[0]?.state).toBe('unknown')
})

test('entities, HTML and nothing at all are kept as they came, and read by nobody', async () => {
  const hostile = [
    `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${about('&x;')}`,
    '<html><body>502</body></html>',
    '',
    'a\0b',
  ]
  for (const body of hostile) expect((await push(body)).status).toBe(200)
  await sweep()
  const kept = await inbox(null)
  expect(kept.map(({ raw }) => raw)).toEqual(hostile.map((body) => body.replace('\0', '')))
  expect(new Set(kept.map(({ state }) => state))).toEqual(new Set(['unreadable']))
})

test('more than 64 KB is too large', async () =>
  expect((await push('x'.repeat(64 * 1024 + 1))).status).toBe(413))
