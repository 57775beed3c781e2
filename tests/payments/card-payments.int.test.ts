import { randomUUID } from 'node:crypto'
import { auditEntries } from '#contracts/audit'
import { addStudent } from '#contracts/identity'
import { type CartLine, type Order, listOrders } from '#contracts/ordering'
import { createPayment, recordAttempt, updateAttempt, verifyPayment } from '#contracts/payments'
import { failedOrders, liveOrders, setAttemptStatus } from '#contracts/payments-console'
import { paymentVerified } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { answerPushes } from '#modules/payments/settlement/push.commands'
import { stampEvents } from '#platform/event-store/command-handler'
import { contextsOf } from '#platform/module'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, refused } from '../ordering/canteen'
import { sweepCardPayments } from '../support/card-sweeps'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { logContents } from '../support/school-contents'
import { standIn } from '../support/stand-ins'
import { silentLog } from '../support/start-postgres'

describe('card payments', () => {
  let canteen: Canteen
  beforeAll(async () => {
    canteen = await openCanteen()
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const family = async (username: string) => {
    const parent = await canteen.parent(username, { email: `${username}@example.org` })
    const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
    return { parent, child }
  }

  const pay = (parent: Client, lines: CartLine[], amount = lines.length * 45.5) =>
    parent.call(createPayment, { body: { amount, cartItems: lines } })

  /** What the customer does on the provider's page. */
  const onPage = (token: string, outcome: string) =>
    canteen.visitor().fetch(`/sandbox/pay/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ outcome, card: '4111111111111111' }).toString(),
    })

  const ordersOf = async (parent: Client) => (await parent.call(listOrders)) as Order[]
  const verify = (client: Client, transactionId: string) =>
    client.call(verifyPayment, { params: { transactionId } })
  const sweep = async () => expect(await sweepCardPayments(canteen)).toEqual([])
  const live = async (transactionId: string) =>
    (await canteen.superadminClient.call(liveOrders, { query: { transactionId } })).data[0]

  test('word of a payment that cannot be settled keeps no later word waiting', async () => {
    const { parent, child } = await family('poison')
    const tokens: string[] = []
    for (const day of [2, 3])
      tokens.push((await pay(parent, [canteen.stewFor(child, day, { weekNumber: 4 })])).TransToken)
    const { database } = canteen.infrastructure
    for (const [place, token] of tokens.entries())
      await database.pool.query(
        `insert into payments.push_inbox (id, token, received_at, raw, state) values ($1, $2, $3, '', 'waiting')`,
        [randomUUID(), token, new Date(Date.parse('2026-09-14T06:00:00+02:00') + place)],
      )
    const asked: string[] = []
    const settle = (attemptId: string) => {
      asked.push(attemptId)
      return asked.length === 1 ? Promise.reject(new Error('unreadable')) : Promise.resolve({})
    }
    const answer = answerPushes(standIn({ database, now: canteen.now, log: silentLog, settle }))
    await expect(answer()).rejects.toThrow('1 of 2 failed')
    const { rows } = await database.pool.query(
      'select state from payments.push_inbox where token = any($1) order by received_at',
      [tokens],
    )
    expect(rows.map(({ state }) => state)).toEqual(['waiting', 'done'])
    await database.pool.query('delete from payments.push_inbox where token = any($1)', [tokens])
  })

  test("the provider's free words and the card's digits are sealed in the events, and readable in the history", async () => {
    const { parent, child } = await family('sealed')
    const { TransToken: token } = await pay(parent, [canteen.stewFor(child, 2, { weekNumber: 3 })])
    await verify(parent, token)
    await onPage(token, 'pay')
    await verify(parent, token)
    const ofPayment = (await logContents(canteen.infrastructure.eventStore)).filter(({ type }) =>
      /payment-(still-pending|verified)/.test(type),
    )
    expect(ofPayment).toHaveLength(2)
    expect(JSON.stringify(ofPayment)).not.toMatch(/Transaction|1111/)
    await eventually(async () => {
      const { data } = await canteen.superadminClient.call(auditEntries, { query: { limit: 100 } })
      const told = JSON.stringify(data)
      return told.includes('000 Transaction Paid') && told.includes('ending 1111')
    })
  })

  test('paid on the page, verified on return: the meals are ordered and paid', async () => {
    const { parent, child } = await family('mwila')
    const started = await pay(parent, [canteen.stewFor(child, 2), canteen.stewFor(child, 3)])
    expect(started).toMatchObject({ Result: '000', companyRef: expect.stringMatching(/^LP-/) })
    expect(started.paymentUrl).toContain(started.TransToken)
    expect(await parent.call(recordAttempt, { body: { transactionId: started.TransToken } })).toMatchObject({
      transactionStatus: 'initiated',
      paymentAmount: 91,
    })
    expect(await verify(parent, started.TransToken)).toMatchObject({
      success: false,
      Result: '900',
      declined: false,
    })
    await onPage(started.TransToken, 'pay')
    expect(await verify(parent, started.TransToken)).toEqual({
      success: true,
      message: 'Transaction Paid',
      attention: [],
    })
    expect(await ordersOf(parent)).toMatchObject([
      { dayOfWeek: 2, status: 'pending', paymentStatus: 'confirmed' },
      { dayOfWeek: 3, status: 'pending', paymentStatus: 'confirmed' },
    ])
    const body = { transactionId: started.TransToken, transactionStatus: 'completed' }
    expect(await parent.call(updateAttempt, { body })).toMatchObject({ transactionStatus: 'verified' })
  })

  test('a payment that the read models do not know yet is found by its token, and settled', async () => {
    const { parent, child } = await family('lagging')
    const { TransToken: token } = await pay(parent, [canteen.stewFor(child, 4, { weekNumber: 3 })])
    const { pool } = canteen.infrastructure.database
    await pool.query('update payments.attempts set token = null where token = $1', [token])
    expect(await verify(parent, token)).toMatchObject({ success: false, TransactionStatus: 'initiated' })
    const stranger = await family('nosy')
    expect(await refused(verify(stranger.parent, token))).toMatchObject({ status: 404 })
    await onPage(token, 'pay')
    expect(await verify(parent, token)).toMatchObject({ success: true })
    expect((await ordersOf(parent)).map(({ paymentStatus }) => paymentStatus)).toEqual(['confirmed'])
  })

  test('the browser is closed: the push alone orders the meals, and the parent is mailed', async () => {
    const { parent, child } = await family('natasha')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)])
    await onPage(TransToken, 'pay')
    await eventually(async () => (await ordersOf(parent)).length === 1)
    expect(await verify(parent, TransToken)).toMatchObject({ success: true })
    await eventually(async () => {
      const { rows } = await canteen.infrastructure.database.pool.query<{ acknowledged: boolean }>(
        'select acknowledged from payments.attempts where token = $1',
        [TransToken],
      )
      return rows[0]?.acknowledged === true
    })
  })

  test('twenty verifications at once are one set of orders', async () => {
    const { parent, child } = await family('kelvin')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2), canteen.stewFor(child, 3)])
    await onPage(TransToken, 'pay')
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(parent, TransToken)))
    expect(answers.every(({ success }) => success)).toBe(true)
    expect(await ordersOf(parent)).toHaveLength(2)
  })

  test('nobody comes back and nothing is pushed: the sweep asks on its schedule', async () => {
    const { parent, child } = await family('grace')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)])
    expect(await live(TransToken)).toMatchObject({ status: 'Payment Initiated', state: 'initiated' })
    canteen.setClock('2026-09-14T07:01:00+02:00')
    await sweep()
    await eventually(async () => (await live(TransToken))?.status === 'Processing Started')
    expect((await live(TransToken))?.allowed).toMatchObject({ verify: true, abandon: true })
    canteen.setClock('2026-09-14T07:33:00+02:00')
    await sweep()
    await eventually(async () => (await live(TransToken))?.state === 'expired')
    expect(await live(TransToken)).toMatchObject({ status: 'Payment Abandoned' })
  })

  test("somebody else's payment does not exist, and nobody may be told of one without being signed in", async () => {
    const { parent, child } = await family('chola')
    const { parent: other } = await family('bupe')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)])
    for (const calling of [
      () => verify(other, TransToken),
      () => other.call(recordAttempt, { body: { transactionId: TransToken } }),
      () => other.call(updateAttempt, { body: { transactionId: TransToken } }),
      () => verify(other, 'no-such-token'),
    ])
      expect(await refused(calling())).toMatchObject({ status: 404, code: 'attempt_not_found' })
    expect((await refused(verify(canteen.visitor(), TransToken))).status).toBe(401)
    const kitchen = await canteen.administrator('cook', 'kitchen')
    expect((await refused(verify(kitchen, TransToken))).status).toBe(403)
    const office = await canteen.administrator('office', 'live_orders')
    expect(await verify(office, TransToken)).toMatchObject({ success: false })
  })

  test('an administrator with live_orders may send the same update: a reason to look', async () => {
    const { parent, child } = await family('patience')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)])
    await onPage(TransToken, 'pay')
    const update = (client: Client, transactionId = TransToken) =>
      client.call(updateAttempt, { body: { transactionId, transactionStatus: 'failed' } })
    const kitchen = await canteen.administrator('second.cook', 'kitchen')
    expect((await refused(update(kitchen))).status).toBe(403)
    const office = await canteen.administrator('second.office', 'live_orders')
    expect((await refused(update(office, 'no-such-token'))).code).toBe('attempt_not_found')
    expect(await update(office)).toMatchObject({ transactionId: TransToken, transactionStatus: 'verified' })
    expect(await ordersOf(parent)).toHaveLength(1)
  })

  test('a wrong amount, a foreign child and no email address are refused in words', async () => {
    const { parent, child } = await family('joseph')
    expect(await refused(pay(parent, [canteen.stewFor(child, 2)], 45.4))).toMatchObject({
      status: 422,
      code: 'amount_mismatch',
      message: 'Payment amount does not match cart total',
    })
    const { child: foreign } = await family('mutinta')
    expect(await refused(pay(parent, [canteen.stewFor(foreign, 2)]))).toMatchObject({ code: 'lines_refused' })
    const { parent: silent, children } = await canteen.family('silent', '9')
    expect(await refused(pay(silent, [canteen.stewFor(children[0]!, 2)]))).toMatchObject({
      status: 422,
      code: 'email_required',
    })
  })

  test('an administrator abandons what is not paid; what is paid is ordered instead', async () => {
    const { parent, child } = await family('luyando')
    const first = await pay(parent, [canteen.stewFor(child, 2)])
    await verify(parent, first.TransToken)
    const abandon = (transactionId: string, status = 'Payment Abandoned') =>
      canteen.superadminClient.call(setAttemptStatus, { params: { transactionId }, body: { status } })
    await abandon(first.TransToken)
    expect(await live(first.TransToken)).toMatchObject({ state: 'abandoned' })
    const second = await pay(parent, [canteen.stewFor(child, 3)])
    await verify(parent, second.TransToken)
    expect((await refused(abandon(second.TransToken, 'Orders created successfully'))).status).toBe(400)
    await onPage(second.TransToken, 'pay')
    expect(await refused(abandon(second.TransToken))).toMatchObject({ status: 409, code: 'attempt_paid' })
    expect(await ordersOf(parent)).toHaveLength(1)
  })

  test('declined shows under Order Recovery, and a retry asks again', async () => {
    const { parent, child } = await family('precious')
    const { TransToken, companyRef } = await pay(parent, [canteen.stewFor(child, 2)])
    await onPage(TransToken, 'decline')
    expect(await verify(parent, TransToken)).toMatchObject({ success: false, Result: '901', declined: true })
    const update = { transactionId: TransToken, transactionStatus: 'cancelled' }
    expect(await parent.call(updateAttempt, { body: update })).toMatchObject({ declined: true })
    const listed = (await canteen.superadminClient.call(failedOrders)).find(
      ({ paymentRef }) => paymentRef === companyRef,
    )
    expect(listed).toMatchObject({
      status: 'Payment verification failed',
      customer: 'precious',
      error: 'The payment was declined',
      allowed: { retry: true, amend: true, accept: false, waive: false },
    })
    expect(await canteen.superadminClient.call(failedOrders, { query: { status: 'blocked days' } })).toEqual(
      [],
    )
    const mail = await mailTo(canteen, 'precious@example.org', 'Not ordered')
    expect(mail.text).toContain('Your card payment was declined, so these meals are not ordered:')
  })

  test('the process died between paid and ordered: the sweep makes the orders', async () => {
    const { parent, child } = await family('memory')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)])
    const { id } = (await live(TransToken))!
    const { eventStore } = canteen.infrastructure
    const stream = paymentAttempt.streamOf(id)
    const recorded = (await eventStore.read([stream])).get(stream)!
    const report = { explanation: 'Paid', method: null, cardLast4: null, approval: null, fraud: null }
    const at = canteen.now()
    const verified = paymentVerified({
      attemptId: id,
      code: '000',
      amount: 4550,
      fee: 0,
      late: false,
      report,
      at: at.toISOString(),
    })
    const events = stampEvents([verified], { actor: 'system', correlationId: 'died', at })
    await eventStore.append([{ stream, expectedRevision: recorded.length - 1, events }])
    canteen.setClock('2026-09-14T07:01:00+02:00')
    await eventually(async () => {
      await sweep()
      return (await live(TransToken))?.state === 'fulfilled'
    })
    await eventually(async () => expect(await ordersOf(parent)).toHaveLength(1))
  })

  test('the read model rebuilt from the events equals the live one', async () => {
    const cards = ['ordering.orders', 'payments.attempts']
    const contexts = contextsOf(canteen.modules)
    await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled: cards })
  })
})

describe('pushes', () => {
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
  const sweep = async () => expect(await sweepCardPayments(canteen)).toEqual([])
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
})
