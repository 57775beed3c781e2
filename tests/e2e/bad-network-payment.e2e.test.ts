import type { Page } from 'playwright-core'
import { liveOrders } from '#contracts/payments-console'
import { sweepCardPayments } from '../support/card-sweeps'
import {
  type LunchSchool,
  addChicken,
  loseAnswers,
  mayBePlaced,
  openSoupSchool,
  parentOnAPhone,
  press,
  told,
} from '../support/lunch-school'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openSoupSchool()
})
afterAll(() => lunch?.close())

const create = '/api/payments/create'

const chicken = async (page: Page) => {
  await addChicken(page)
  await press(page, 'Go to Cart (1 meal)')
}

/** The provider's token of the payment page that the phone has been led to. */
const atPayment = async (page: Page) => {
  await page.waitForURL(/\/sandbox\/pay\?ID=/)
  return new URL(page.url()).searchParams.get('ID')
}

/** How many checkouts the office knows of this parent. */
const attemptsOf = async (parent: string) =>
  (await lunch.office.call(liveOrders, { query: { parent } })).pagination.totalOrders

describe('a card payment', () => {
  test('whose answer is lost goes on with the same payment; after turning back the next one is new', async () => {
    const { page, keys, faults, close } = await parentOnAPhone(lunch, 'pays.on.bad.line')
    await chicken(page)
    const lost = await loseAnswers(page, create)
    await press(page, 'Place Order · K38.50')
    await told(page, 'Failed to create payment token')
    await told(page, mayBePlaced)
    await page.unroute(`**${create}`)
    await press(page, 'Place Order · K38.50')
    const token = await atPayment(page)
    expect(new Set([...lost.map(({ TransToken }) => TransToken), token]).size).toBe(1)
    expect(new Set(keys).size).toBe(1)
    expect(await attemptsOf('pays.on.bad.line')).toBe(1)

    await press(page, /Cancel and go back/)
    await told(page, 'Payment Cancelled')
    await press(page, 'Try again')
    await press(page, 'Place Order · K38.50')
    expect(await atPayment(page)).not.toBe(token)
    await press(page, 'Pay ZMW 38.50')
    await told(page, 'Payment Successful')
    expect(faults()).toEqual([])
    await close()
  })

  test('that nobody answered for and that has run out since is begun anew', async () => {
    const { page, ordered, faults, close } = await parentOnAPhone(lunch, 'comes.back.late')
    await chicken(page)
    const [lost] = await Promise.all([loseAnswers(page, create), press(page, 'Place Order · K38.50')])
    await told(page, 'Failed to create payment token')
    await page.unroute(`**${create}`)
    lunch.school.setClock(new Date(lunch.school.now().getTime() + 40 * 60_000))
    expect(await sweepCardPayments(lunch.school)).toEqual([])
    await press(page, 'Place Order · K38.50')
    expect(await atPayment(page)).not.toBe(lost[0]?.TransToken)
    await press(page, 'Pay ZMW 38.50')
    await told(page, 'Payment Successful')
    expect(await ordered()).toEqual([4])
    expect(faults()).toEqual([])
    await close()
  })
})
