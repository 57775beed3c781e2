import { addStudent, currentUser, updateProfile } from '#contracts/identity'
import { kitchenWeek } from '#contracts/kitchen'
import { cancelOrder, listOrders } from '#contracts/ordering'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { checkoutStarted } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { claimReference, referenceFor } from '#modules/payments/attempt/references.rows'
import { attemptIdFor, bodyHashOf } from '#modules/payments/checkout/place-order.commands'
import { stampEvents } from '#platform/event-store/command-handler'
import { noStream } from '#platform/event-store/event-store'
import { readMail, listMails } from '../../src/adapters/mail'
import { place, refused } from '../ordering/canteen'
import { attempt, otherAttempt } from '../ordering/lunches'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { superadminPassword } from '../support/school'
import { type AlternativeCanteen, openAlternativeCanteen, order, airtelAndBank } from './alternative-canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

describe('alternative checkout', () => {
  beforeEach(() => canteen.set({ enabled: true }))

  const reference = expect.stringMatching(/^LP-[2-9A-HJKMNP-Z]{6}$/)

  /** A parent with an email address and a child in grade 9. */
  const written = async (username: string) => {
    const email = `${username}@example.com`
    const parent = await canteen.parent(username, { email })
    const child = await parent.call(addStudent, { body: { name: username, grade: '9' } })
    return { parent, child, email, userId: (await parent.call(currentUser)).id }
  }

  const mailsTo = async (email: string) => {
    const mails = await listMails(canteen.dataDir)
    const found = await Promise.all(
      mails
        .filter(({ to, subject }) => to.includes(email) && subject.startsWith('How to pay'))
        .map(({ name }) => readMail(canteen.dataDir, name)),
    )
    return found.flatMap((mail) => mail ?? [])
  }

  test('a cart that costs something is ordered, to be paid for with a reference', async () => {
    const { parent, children } = await canteen.family('mwila', '9')
    const { orders, payment } = await order(
      parent,
      [2, 3].map((day) => canteen.stewFor(children[0]!, day)),
    )
    expect(orders.map(({ status, paymentStatus }) => [status, paymentStatus])).toEqual([
      ['pending', 'pending'],
      ['pending', 'pending'],
    ])
    expect(payment).toEqual({
      reference,
      amount: 91,
      instructions: {
        message: 'Alternative payment methods are available. Please check your email for instructions.',
        airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
        bankTransfer: expect.objectContaining({ bankName: 'Zanaco', accountNumber: '0012345' }),
      },
    })
    expect(await parent.call(listOrders)).toHaveLength(2)
  })

  test('how to pay is mailed, once', async () => {
    const { parent, child, email } = await written('natasha')
    const { payment } = await order(parent, [canteen.stewFor(child, 2)], 'natasha-1')
    await order(parent, [canteen.stewFor(child, 2)], 'natasha-1')
    const [mail] = await eventually(async () => {
      const found = await mailsTo(email)
      return found.length > 0 && found
    })
    expect(mail!.subject).toContain(payment!.reference)
    const text = mail!.text.replaceAll(/\s+/g, ' ')
    expect(text).toContain(`Please pay K45.50 and give the reference ${payment!.reference}`)
    expect(text).toContain('Airtel Money Name: Lusaka Test School Number: 0970 000 001')
    expect(text).not.toContain('MTN')
    // The address was not verified.
    expect(text).toContain('- Tuesday, 15 September 2026: a meal, K45.50')
    expect(text).not.toMatch(/natasha|Stew/)
    expect(text).toMatch(/Good day,.* Confirm this address: \S+\/verify-email\?token=\S+ /)
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('one request is one checkout and one reference, another cart under its key is refused', async () => {
    const { parent, children } = await canteen.family('mutinta', '9')
    const cart = [canteen.stewFor(children[0]!, 2)]
    const answers = await Promise.all(Array.from({ length: 5 }, () => order(parent, cart, 'mutinta-1')))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await canteen.set({ enabled: false })
    expect((await order(parent, cart, 'mutinta-1')).payment).toMatchObject({
      reference: answers[0]!.payment!.reference,
      amount: 45.5,
    })
    expect(await refused(order(parent, [canteen.stewFor(children[0]!, 3)], 'mutinta-1'))).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
    expect(await parent.call(listOrders)).toHaveLength(1)
  })

  test('switched off, a cart that costs something is not ordered', async () => {
    const { parent, children } = await canteen.family('kelvin', '9')
    await canteen.set({ enabled: false })
    expect(await refused(order(parent, [canteen.stewFor(children[0]!, 2)]))).toMatchObject({
      status: 402,
      code: 'payment_required',
    })
    expect(await parent.call(listOrders)).toEqual([])
  })

  test('what is free stays free, and in a mixed cart there is nothing to pay for it', async () => {
    const { parent, children, userId } = await canteen.family('grace', '9', '2')
    const [big, small] = children
    expect(await place(parent, [canteen.porridgeFor(small!, 2)])).toMatchObject([
      { paymentStatus: 'confirmed' },
    ])
    const mixed = await order(parent, [canteen.porridgeFor(small!, 3), canteen.stewFor(big!, 3)])
    expect(mixed.orders.map(({ paymentStatus }) => paymentStatus)).toEqual(['confirmed', 'pending'])
    expect(mixed.payment).toMatchObject({ amount: 45.5 })
    await canteen.discount(userId, 100)
    expect(await place(parent, [canteen.stewFor(big!, 4, { discountedPrice: 0 })])).toMatchObject([
      { paymentStatus: 'confirmed', discountedPrice: 0 },
    ])
  })

  test('the discounted price is what is to be paid', async () => {
    const { parent, children, userId } = await canteen.family('joseph', '9')
    await canteen.discount(userId, 10)
    const { payment } = await order(parent, [canteen.stewFor(children[0]!, 2)])
    expect(payment).toMatchObject({ amount: 40.95 })
  })

  test('all lines or none', async () => {
    const { parent, children } = await canteen.family('luyando', '9')
    await order(parent, [canteen.stewFor(children[0]!, 2)])
    const answer = await refused(
      order(parent, [canteen.stewFor(children[0]!, 3), canteen.stewFor(children[0]!, 2)]),
    )
    expect(answer).toMatchObject({
      status: 409,
      code: 'lines_refused',
      lines: [expect.objectContaining({ index: 1, code: 'already_ordered' })],
    })
    expect(await parent.call(listOrders)).toHaveLength(1)
  })

  test('the kitchen sees it as unpaid, until it is verified or cancelled', async () => {
    const unpaid = async () => {
      const { totals } = await canteen.superadminClient.call(kitchenWeek, { params: { week: 3 } })
      return totals.map((portion) => [portion.total, portion.unpaid])
    }
    const { parent, children } = await canteen.family('chola', '9', '10')
    const lines = children.map((child) => canteen.stewFor(child, 5, { weekNumber: 3 }))
    const { orders } = await order(parent, lines)
    expect(await unpaid()).toEqual([[2, 2]])
    await canteen.verify([orders[0]!.id])
    expect(await unpaid()).toEqual([[2, 1]])
    await parent.call(cancelOrder, { params: { id: orders[1]!.id } })
    expect(await unpaid()).toEqual([[1, 0]])
  })

  test('a checkout that a crash cut off is finished, unpaid, and how to pay is mailed', async () => {
    const { parent, child, email, userId } = await written('thandiwe')
    const attemptId = attemptIdFor(userId, 'thandiwe-1')
    const { cycle, items } = canteen
    const lines = [canteen.stewFor(child, 4)]
    const started = checkoutStarted({
      attemptId,
      kind: 'alternative',
      userId,
      lines: [
        {
          index: 0,
          slot: { cycleId: cycle.id, studentId: child.id, week: 1, day: 4 },
          student: { name: child.name, grade: child.grade },
          item: { id: items.stew.id, name: items.stew.name, type: items.stew.type },
          category: 'beef',
          sideDish: null,
          comments: '',
          originalPrice: 4550,
          price: 4550,
          discountPercentage: 0,
          mealDate: '2026-09-17',
          cutoffAt: '2026-09-17T06:00:00.000Z',
        },
      ],
      total: 4550,
      companyRef: 'LP-2345AB',
      bodyHash: bodyHashOf(lines),
      at: canteen.now().toISOString(),
    })
    const stamp = { actor: `user:${userId}`, correlationId: 'request-1', at: canteen.now() }
    await canteen.infrastructure.eventStore.append([
      {
        stream: paymentAttempt.streamOf(attemptId),
        expectedRevision: noStream,
        events: stampEvents([started], stamp),
      },
    ])
    // The request itself may run for 15 s.
    canteen.setClock(new Date(canteen.now().getTime() + 16_000).toISOString())
    await canteen.sweepUntil(async () => (await mailsTo(email)).length === 1)
    // The mail does not wait for the list.
    await eventually(async () =>
      expect(await parent.call(listOrders)).toMatchObject([{ dayOfWeek: 4, paymentStatus: 'pending' }]),
    )
    expect((await order(parent, lines, 'thandiwe-1')).payment).toMatchObject({ reference: 'LP-2345AB' })
  })
})

describe('alternative settings', () => {
  beforeEach(() => canteen.set({}))

  const blank = {
    enabled: false,
    beside: false,
    prompt: false,
    unpaidUntil: 'never',
    airtelMoney: { name: '', number: '' },
    mtnMoney: { name: '', number: '' },
    bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
  }

  test('the details are shown while in use; administrators see them always', async () => {
    const { parent } = await canteen.family('shown')
    const cook = await canteen.administrator('cook', 'kitchen')
    expect(await canteen.set({ enabled: true })).toMatchObject(airtelAndBank)
    expect(await parent.call(getPaymentBypass)).toMatchObject(airtelAndBank)
    await canteen.set({ enabled: false })
    expect(await parent.call(getPaymentBypass)).toMatchObject(blank)
    expect(await cook.call(getPaymentBypass)).toMatchObject({ ...airtelAndBank, enabled: false })
    expect((await refused(canteen.visitor().call(getPaymentBypass))).status).toBe(401)
  })

  test('only administrators with the feature change them, and only as plain texts', async () => {
    const { parent } = await canteen.family('refused')
    const cook = await canteen.administrator('chef', 'kitchen')
    const clerk = await canteen.administrator('clerk', 'settings')
    for (const client of [parent, cook])
      expect((await refused(client.call(savePaymentBypass, { body: airtelAndBank }))).status).toBe(403)
    const long = { ...airtelAndBank, mtnMoney: { name: 'x'.repeat(201), number: '' } }
    expect((await refused(clerk.call(savePaymentBypass, { body: long }))).status).toBe(422)
    const padded = { ...airtelAndBank, mtnMoney: { name: ' Tuckshop ', number: '' } }
    expect(
      await clerk.call(savePaymentBypass, { body: { ...padded, currentPassword: 'admin-password' } }),
    ).toMatchObject({
      mtnMoney: { name: 'Tuckshop' },
    })
  })

  test('other details need the password of whoever changes them, and every superadmin hears of it', async () => {
    const { superadminClient } = canteen
    const address = 'head@example.org'
    await superadminClient.call(updateProfile, {
      body: { name: 'Head', email: address, currentPassword: superadminPassword },
    })
    const clerk = await canteen.administrator('cashier', 'settings')
    const mtnMoney = { name: 'Mallory', number: '0966 000 000' }
    const save = (more: { enabled?: boolean; currentPassword?: string }) =>
      clerk.call(savePaymentBypass, { body: { ...airtelAndBank, mtnMoney, ...more } })
    expect(await refused(save({}))).toMatchObject({
      status: 422,
      code: 'wrong_current_password',
      fields: { currentPassword: 'Current password is required' },
    })
    expect(await refused(save({ currentPassword: 'superadmin-password' }))).toMatchObject({
      status: 422,
      fields: { currentPassword: expect.stringContaining("doesn't match") },
    })
    expect(await clerk.call(getPaymentBypass)).toMatchObject(airtelAndBank)
    expect(await save({ currentPassword: 'admin-password' })).toMatchObject({ mtnMoney })
    const mail = await mailTo(canteen, address, 'bank or mobile-money details')
    expect(mail.text).not.toMatch(/0966|Mallory/)
    expect(mail.text).toContain('who gave their password, changed')
    expect(await save({ enabled: false })).toMatchObject({ enabled: false, mtnMoney })
  })

  describe('the reference of an attempt', () => {
    test('is the same each time it is asked for, and letters that are taken for others are not in it', async () => {
      const { knex } = canteen.infrastructure.database
      const reference = await claimReference(knex, attempt)
      expect(await claimReference(knex, attempt)).toBe(reference)
      const many = Array.from({ length: 500 }, (_, round) => referenceFor(attempt, round))
      for (const text of many) expect(text).toMatch(/^LP-[2-9A-HJKMNP-Z]{6}$/)
      expect(new Set(many).size).toBe(500)
    })

    test('is never that of another attempt', async () => {
      const { knex, pool } = canteen.infrastructure.database
      const wanted = referenceFor(otherAttempt, 0)
      await pool.query(
        'insert into payments.alternative_references (reference, attempt_id) values ($1, $2)',
        [wanted, '0199c0de-0000-7000-8000-0000000000ff'],
      )
      expect(await claimReference(knex, otherAttempt)).toBe(referenceFor(otherAttempt, 1))
      expect(await claimReference(knex, otherAttempt)).toBe(referenceFor(otherAttempt, 1))
    })
  })
})
