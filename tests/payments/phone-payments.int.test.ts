import { dayEnd, getReceipt } from '#contracts/books'
import { addStudent } from '#contracts/identity'
import { listOrders, placeOrders, type CartLine, type Order } from '#contracts/ordering'
import {
  createPayment,
  promptAgain,
  recordAttempt,
  savePaymentBypass,
  verifyPayment,
} from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, refused } from '../ordering/canteen'
import { superadminPassword } from '../support/school'
import { logContents } from '../support/school-contents'

const nowhere = { name: '', number: '' }
const byPhone = {
  enabled: false,
  beside: true,
  prompt: true,
  unpaidUntil: 'never' as const,
  airtelMoney: { name: 'School', number: '0977000111' },
  mtnMoney: nowhere,
  bankTransfer: { bankName: '', accountName: '', accountNumber: '12', branchName: '', swiftCode: '' },
}

describe('payments by phone', () => {
  let canteen: Canteen
  beforeAll(async () => {
    canteen = await openCanteen()
    await canteen.superadminClient.call(savePaymentBypass, {
      body: { ...byPhone, currentPassword: superadminPassword },
    })
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T06:00:00+02:00'))

  const family = async (username: string) => {
    const parent = await canteen.parent(username)
    const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
    return { parent, child }
  }
  const pay = (
    parent: Client,
    lines: CartLine[],
    customerPhone: string,
    paymentMethod: 'airtel' | 'mtn' = 'airtel',
  ) =>
    parent.call(createPayment, {
      body: { amount: lines.length * 45.5, cartItems: lines, paymentMethod, customerPhone },
    })
  const verify = (client: Client, transactionId: string) =>
    client.call(verifyPayment, { params: { transactionId } })
  const again = (parent: Client, id: string, body = {}) => parent.call(promptAgain, { params: { id }, body })

  /** What the payer presses on the phone's newest prompt. */
  const onPhone = async (number: string, choice: string) => {
    const page = await (await canteen.visitor().fetch(`/sandbox/phone/${number}`)).text()
    const prompts = [...page.matchAll(/name="prompt" value="([^"]+)"/g)].map(([, name]) => name!)
    await canteen.visitor().fetch(`/sandbox/phone/${number}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ choice, prompt: prompts.at(-1) ?? '' }).toString(),
    })
    return prompts.length
  }

  test('approved: the meals are ordered, and the network stands everywhere', async () => {
    const { parent, child } = await family('mutale')
    const started = await pay(parent, [canteen.stewFor(child, 2)], '0977 100 001')
    expect(started).toMatchObject({
      Result: '000',
      prompt: { phone: '+260 97• ••• 001', network: 'airtel', instructions: expect.any(String) },
    })
    const body = { transactionId: started.TransToken }
    expect(await parent.call(recordAttempt, { body })).toMatchObject({
      payBy: 'airtel',
      prompt: { network: 'airtel' },
    })
    expect(await verify(parent, started.TransToken)).toMatchObject({ success: false, Result: '900' })
    await onPhone('0977100001', 'approve')
    expect(await verify(parent, started.TransToken)).toMatchObject({ success: true })
    expect((await parent.call(listOrders)) as Order[]).toMatchObject([
      { payBy: 'airtel', paymentStatus: 'confirmed' },
    ])
    const query = { transactionId: started.TransToken }
    const { data } = await canteen.superadminClient.call(liveOrders, { query })
    expect(data[0]).toMatchObject({ payBy: 'airtel', status: 'Orders created successfully' })
    const [order] = (await parent.call(listOrders)) as Order[]
    const number = order!.receiptNumber!
    expect(await parent.call(getReceipt, { params: { number } })).toMatchObject({ method: 'airtel' })
    const books = await canteen.superadminClient.call(dayEnd, {
      query: { from: '2026-09-14', to: '2026-09-14' },
    })
    expect(JSON.stringify(books)).toContain('airtel')
  })

  describe('one cart from two devices', () => {
    const startedWith = async (name: string, ways: ('prompt' | 'page')[], number: string) => {
      const parent = await canteen.parent(name, { email: `${name}@example.com` })
      const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
      const lines = [canteen.stewFor(child, 2)]
      const device = (way: 'prompt' | 'page', index: number) =>
        parent.call(createPayment, {
          body: {
            amount: 45.5,
            cartItems: lines,
            ...(way === 'prompt' && { paymentMethod: 'airtel', customerPhone: number }),
          },
          headers: { 'idempotency-key': `${name}-${index}` },
        })
      return { parent, tokens: (await Promise.all(ways.map(device))).map(({ TransToken }) => TransToken) }
    }

    test.each([2, 3])('at once (%d) is one payment, and rings the phone once', async (count) => {
      const number = `0977 100 02${count}`
      const ways = Array.from({ length: count }, () => 'prompt' as const)
      const { parent, tokens } = await startedWith(`twice${count}`, ways, number)
      expect(new Set(tokens).size).toBe(1)
      expect(await onPhone(number.replaceAll(' ', ''), 'approve')).toBe(1)
      expect(await verify(parent, tokens[0]!)).toMatchObject({ success: true })
      expect((await parent.call(listOrders)) as Order[]).toMatchObject([{ paymentStatus: 'confirmed' }])
    })

    test('on the page is one page', async () => {
      const { tokens } = await startedWith('pages', ['page', 'page'], '')
      expect(new Set(tokens).size).toBe(1)
    })

    test('one by prompt, one on the page: both have the same token', async () => {
      const { tokens } = await startedWith('mixed', ['prompt', 'page'], '0977 100 029')
      expect(new Set(tokens).size).toBe(1)
    })
  })

  test('the number is sealed in the events', async () => {
    const { parent, child } = await family('sealed')
    await pay(parent, [canteen.stewFor(child, 2)], '0977 100 002')
    const events = (await logContents(canteen.infrastructure.eventStore)).filter(({ type }) =>
      /prompt/.test(type),
    )
    expect(events.length).toBeGreaterThan(1)
    expect(JSON.stringify(events)).not.toMatch(/977100002/)
  })

  test.each([
    ['wrong-pin', 'Wrong PIN'],
    ['not-enough', 'Insufficient funds'],
  ])('%s: said at once, and sent again for the same token', async (choice, ResultExplanation) => {
    const { parent, child } = await family(choice)
    const number = choice === 'wrong-pin' ? '0977100003' : '0977100004'
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)], number)
    await onPhone(number, choice)
    expect(await verify(parent, TransToken)).toMatchObject({
      success: false,
      Result: '901',
      ResultExplanation,
    })
    expect(await again(parent, TransToken)).toMatchObject({ success: false, prompt: { network: 'airtel' } })
    await onPhone(number, 'approve')
    expect(await verify(parent, TransToken)).toMatchObject({ success: true })
    expect(await again(parent, TransToken)).toEqual({
      success: true,
      message: 'Transaction Paid',
      attention: [],
      prompt: null,
    })
  })

  test('while one waits none is sent; a minute later to another number and network', async () => {
    const { parent, child } = await family('waits')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)], '0977100005')
    expect(await refused(again(parent, TransToken))).toMatchObject({ status: 409, code: 'prompt_waiting' })
    canteen.setClock('2026-09-14T06:01:01+02:00')
    const answer = await again(parent, TransToken, { customerPhone: '0966 100 005', network: 'mtn' })
    expect(answer).toMatchObject({ prompt: { phone: '+260 96• ••• 005', network: 'mtn' } })
    await onPhone('0977100005', 'approve')
    await onPhone('0966100005', 'approve')
    expect(await verify(parent, TransToken)).toMatchObject({ success: true })
    expect((await parent.call(listOrders)) as Order[]).toHaveLength(1)
  })

  test('the eleventh of a number and hour is 429, and holds nothing', async () => {
    const number = '0977100006'
    for (const stranger of ['one', 'another']) {
      const { parent, child } = await family(stranger)
      for (const day of [1, 2, 3, 4, 5]) await pay(parent, [canteen.stewFor(child, day)], number)
    }
    const { parent, child } = await family('eleventh')
    const lines = [canteen.stewFor(child, 2)]
    const answer = await refused(pay(parent, lines, number))
    expect(answer).toMatchObject({ status: 429, code: 'too_many_requests' })
    await pay(parent, lines, '0977100007')
  })

  test('another family does not find it', async () => {
    const { parent, child } = await family('own')
    const { TransToken } = await pay(parent, [canteen.stewFor(child, 2)], '0977100008')
    const other = await family('other')
    expect(await refused(again(other.parent, TransToken))).toMatchObject({ code: 'attempt_not_found' })
  })

  describe('what was typed', () => {
    let typing: Awaited<ReturnType<typeof family>>
    beforeAll(async () => {
      typing = await family('typing')
    })

    test.each(['', '0977 12', '0211 123 456', '+27 82 123 4567', 'x'])(
      '%s is no number',
      async (customerPhone) => {
        const { parent, child } = typing
        expect(await refused(pay(parent, [canteen.stewFor(child, 2)], customerPhone))).toMatchObject({
          status: 422,
          fields: { customerPhone: 'Please enter a mobile number such as 0977 123 456' },
        })
      },
    )
  })

  test('mobile money by hand is paid at once, bank transfer stays', async () => {
    const { parent, child } = await family('byhand')
    const cartItems = [canteen.stewFor(child, 2)]
    const order = (payBy: 'airtel' | 'mtn' | 'bank') =>
      parent.call(placeOrders, { body: { cartItems, payBy } })
    for (const network of ['airtel', 'mtn'] as const)
      expect(await refused(order(network))).toMatchObject({ status: 409, code: 'paid_at_once' })
    expect((await order('bank')).orders).toHaveLength(1)
  })

  test('switching it on asks for the password, switching it off does not', async () => {
    const save = (prompt: boolean, currentPassword?: string) =>
      canteen.superadminClient.call(savePaymentBypass, {
        body: { ...byPhone, prompt, ...(currentPassword && { currentPassword }) },
      })
    expect(await save(false)).toMatchObject({ prompt: false })
    const { parent, child } = await family('off')
    expect(await refused(pay(parent, [canteen.stewFor(child, 2)], '0977100009'))).toMatchObject({
      status: 409,
      code: 'prompt_off',
    })
    expect((await refused(save(true))).status).toBeGreaterThanOrEqual(400)
    expect(await save(true, superadminPassword)).toMatchObject({ prompt: true })
  })
})
