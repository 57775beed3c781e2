import { after, monday7 } from '../ordering/lunches'
import { refundOffice } from '../refunds/refund-office'

const order = '118.2026-09-15.1'
const change = '0199c0de-0000-7000-8000-0000000000d1'
const gift = 2000

/** A paid meal for K45.50 and a family with K20.00 of credit, of which a change has been settled. */
const settledChange = async (price: number) => {
  const office = refundOffice()
  await office.place(0)
  await office.give(gift)
  await office.settlePrice(order, change, price - 4550)
  const settle = async (minutes: number) => {
    office.clock.now = after(monday7, minutes)
    await office.settleCredit(order)
    return (await office.credit()).balance
  }
  return { office, settle, take: () => office.settlePrice(order, change, price - 4550) }
}

describe.each([
  ['dearer', 6050],
  ['cheaper', 3000],
])('a change to a %s meal', (_what, price) => {
  const balance = gift - (price - 4550)

  test('that never reached the order is undone, once no command can be at it any more', async () => {
    const { settle } = await settledChange(price)
    expect(await settle(1)).toBe(balance)
    expect(await settle(3)).toBe(gift)
    expect(await settle(4)).toBe(gift)
  })

  test('that reached the order stands', async () => {
    const { office, settle } = await settledChange(price)
    await office.changeMeal(order, change, price)
    expect(await settle(3)).toBe(balance)
  })

  test('that was undone is settled anew by its key', async () => {
    const { office, settle, take } = await settledChange(price)
    await settle(3)
    await take()
    await office.changeMeal(order, change, price)
    expect(await settle(6)).toBe(balance)
  })

  test('that reached the order while it was undone is settled again', async () => {
    const { office, settle } = await settledChange(price)
    await settle(3)
    await office.changeMeal(order, change, price)
    expect(await settle(6)).toBe(balance)
  })

  test('of an order that was cancelled meanwhile is left to what is owed for it', async () => {
    const { office, settle } = await settledChange(price)
    await office.cancel(order, 'credit')
    expect(await settle(3)).toBe(gift + 4550)
  })
})

test('what a change gave and the family spent stays given', async () => {
  const { office, settle } = await settledChange(3000)
  await office.payOutCredit(3000)
  expect(await settle(3)).toBe(550)
})

test('a change that was undone takes no credit that is not there any more', async () => {
  const { office, settle, take } = await settledChange(6050)
  await settle(3)
  await office.payOutCredit(1900)
  await expect(take()).rejects.toMatchObject({ code: 'credit_short' })
})
