import { readdirSync } from 'node:fs'
import { deleteAnyStudent } from '#contracts/accounts'
import { listMenu } from '#contracts/catalogue'
import { myDiscountCode, myDiscounts } from '#contracts/discounts'
import type { BodyOf } from '#contracts/endpoint'
import { mergeStudent, moveStudent } from '#contracts/enrolment'
import { getFamily } from '#contracts/find'
import type { Student } from '#contracts/identity'
import { createDiscountCode, deleteDiscountCode, listDiscountCodes } from '#contracts/order-reports'
import { cancelOrder, changeOrder, orderForFamily } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { fileText } from '../support/repository'
import { refused } from './canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen({ ROLE: 'web' })
})
afterAll(() => canteen.close())

const codeOf = ({ userId, studentId }: { userId: number; studentId?: number | null | undefined }) =>
  studentId ? `CHILD-${studentId}` : `ACCOUNT-${userId}`
type Code = Partial<BodyOf<typeof createDiscountCode>> & { userId: number }
const create = (body: Code) =>
  canteen.superadminClient.call(createDiscountCode, {
    body: { code: codeOf(body), discountPercentage: 10, isActive: true, ...body },
  })
const discountsOf = (children: readonly Student[], ...percentages: number[]) =>
  children.map(({ id: studentId }, at) => ({ studentId, discountPercentage: percentages[at] }))

describe('the code of one child', () => {
  test('names the child and who pays, and is found by both', async () => {
    const { userId, children } = await canteen.family('mwansa', '9')
    const made = await create({ userId, studentId: children[0]!.id, sponsor: ' Rotary Club of Lusaka ' })
    expect(made).toEqual({
      id: made.id,
      code: `CHILD-${children[0]!.id}`,
      userId,
      user: { username: 'mwansa' },
      studentId: children[0]!.id,
      student: { name: 'mwansa 9', grade: '9', class: null },
      sponsor: 'Rotary Club of Lusaka',
      discountPercentage: 10,
      isActive: true,
    })
    const found = async (search: string) =>
      (await canteen.superadminClient.call(listDiscountCodes, { query: { search } })).data
    expect(await found('rotary')).toEqual([made])
    expect(await found('mwansa 9')).toEqual([made])
    expect(await found('MWANSA')).toEqual([made])
    const sorted = await canteen.superadminClient.call(listDiscountCodes, { query: { sort: 'user' } })
    expect(sorted.data).toEqual([made])
  })

  test('must be of a child of the user', async () => {
    const { userId } = await canteen.family('tembo', '9')
    const { children } = await canteen.family('other', '9')
    expect(await refused(create({ userId, studentId: children[0]!.id }))).toMatchObject({
      status: 422,
      code: 'discount_child_wrong',
      fields: { studentId: 'Please choose a child of this user' },
    })
    expect((await refused(create({ userId, sponsor: 'x'.repeat(61) }))).status).toBe(422)
  })

  test('leaves the account without one, and the other child at its own price', async () => {
    const { parent, userId, children } = await canteen.family('zulu', '9', '8')
    await create({ userId, studentId: children[0]!.id, discountPercentage: 60 })
    expect(await refused(parent.call(myDiscountCode))).toMatchObject({ code: 'no_discount_code' })
    expect(await parent.call(myDiscounts)).toEqual({
      account: null,
      children: discountsOf(children, 60, 0),
    })
    await create({ userId, discountPercentage: 20 })
    expect(await parent.call(myDiscounts)).toEqual({
      account: { code: `ACCOUNT-${userId}`, discountPercentage: 20 },
      children: discountsOf(children, 60, 20),
    })
    expect((await parent.call(listMenu)).find(({ name }) => name === 'Stew')).toMatchObject({
      discountPercentage: 20,
    })
  })

  test('goes with a child that moves to another account, and is gone with a child that is deleted', async () => {
    const { userId, children } = await canteen.family('from', '9')
    const { parent: other, userId: otherId } = await canteen.family('into')
    const [child] = children
    const made = await create({ userId, studentId: child!.id, discountPercentage: 70 })
    await canteen.superadminClient.call(moveStudent, {
      params: { id: child!.id },
      body: { parentId: otherId },
    })
    expect((await other.call(myDiscounts)).children).toEqual(discountsOf(children, 70))
    const listed = await canteen.superadminClient.call(listDiscountCodes, { query: { search: 'into' } })
    expect(listed.data).toEqual([{ ...made, userId: otherId, user: { username: 'into' } }])
    await canteen.superadminClient.call(deleteAnyStudent, { params: { id: child!.id } })
    const { data } = await canteen.superadminClient.call(listDiscountCodes, { query: { search: made.code } })
    expect(data).toEqual([])
  })

  test('of two children that are merged the higher stays', async () => {
    const { parent, userId, children } = await canteen.family('merged', '9', '9')
    const [into, from] = children
    await create({ userId, studentId: into!.id, discountPercentage: 30 })
    await create({ userId, studentId: from!.id, discountPercentage: 50 })
    await canteen.superadminClient.call(mergeStudent, {
      params: { id: from!.id },
      body: { intoId: into!.id },
    })
    expect((await parent.call(myDiscounts)).children).toEqual(discountsOf([into!], 50))
  })
})

describe('the price of a line', () => {
  const family = async (name: string) => {
    const { parent, userId, children } = await canteen.family(name, '9', '8')
    const [sponsored, other] = children
    await create({ userId, studentId: sponsored!.id, discountPercentage: 50, sponsor: 'Rotary' })
    await create({ userId, discountPercentage: 10 })
    return { parent, userId, sponsored: sponsored!, other: other! }
  }

  test('is that of its child at a checkout, and the total that of both', async () => {
    const { parent, sponsored, other } = await family('checkout')
    const lines = [canteen.stewFor(sponsored, 2), canteen.stewFor(other, 2)]
    const { orders, payment } = await order(parent, lines)
    expect(orders).toMatchObject([
      { discountedPrice: 22.75, discountPercentage: 50 },
      { discountedPrice: 40.95, discountPercentage: 10 },
    ])
    expect(payment).toMatchObject({ amount: 63.7 })
  })

  test('is refused when the browser shows that of the account', async () => {
    const { parent, sponsored } = await family('claimed')
    const line = canteen.stewFor(sponsored, 2, { discountedPrice: 40.95 })
    expect(await refused(order(parent, [line]))).toMatchObject({ lines: [{ code: 'price_changed' }] })
  })

  test('is that of its child at the counter', async () => {
    const { userId, sponsored, other } = await family('counter')
    const finance = await canteen.administrator('counterfinance', 'refunds')
    const shownTo = async (office: Client) =>
      (await office.call(getFamily, { params: { id: userId } })).children.map((child) => [
        child.id,
        child.discountPercentage,
      ])
    expect(await shownTo(canteen.superadminClient)).toEqual([
      [sponsored.id, 50],
      [other.id, 10],
    ])
    expect(await shownTo(finance)).toEqual([
      [sponsored.id, undefined],
      [other.id, undefined],
    ])
    const { orders } = await canteen.superadminClient.call(orderForFamily, {
      params: { parentId: userId },
      body: { cartItems: [canteen.stewFor(sponsored, 3)], payBy: 'airtel', received: false },
    })
    expect(orders).toMatchObject([{ discountedPrice: 22.75, discountPercentage: 50 }])
  })

  test('is that of its child for another meal, and a lunch ordered anew after a cancellation', async () => {
    const { parent, sponsored } = await family('changed')
    const pie = await canteen.cooked('Pie', '30.00')
    const { orders } = await order(parent, [canteen.stewFor(sponsored, 4)])
    const change = (discountedPrice: number) =>
      parent.call(changeOrder, {
        params: { id: orders[0]!.id },
        body: { menuItemId: pie, category: 'beef', discountedPrice },
      })
    expect(await refused(change(27))).toMatchObject({ code: 'price_changed' })
    expect(await change(15)).toMatchObject({ discountedPrice: 15, discountPercentage: 50 })
    await parent.call(cancelOrder, { params: { id: orders[0]!.id } })
    const again = await order(parent, [canteen.stewFor(sponsored, 4)])
    expect(again.orders).toMatchObject([{ discountedPrice: 22.75 }])
  })

  test('stays what it was after the code is deleted', async () => {
    const { parent, userId, children } = await canteen.family('ended', '9')
    const { id } = await create({ userId, studentId: children[0]!.id, discountPercentage: 50 })
    await order(parent, [canteen.stewFor(children[0]!, 2)])
    await canteen.superadminClient.call(deleteDiscountCode, { params: { id } })
    const { orders } = await order(parent, [canteen.stewFor(children[0]!, 3)])
    expect(orders).toMatchObject([{ discountedPrice: 45.5, discountPercentage: 0 }])
  })

  /** Who computes a price asks `discountOf` for the child; a new caller is named here with what proves it. */
  test('is computed in these places alone', () => {
    const callers = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        path.endsWith('.ts') &&
        !/kernel\/money|discounts\/discounts\.rows/.test(path) &&
        /\b(discounted|priced|discountOf|codesThatCount)\(/.test(fileText(`src/${path}`)),
    )
    expect(callers.toSorted()).toEqual([
      'contracts/discounts.ts',
      // Shown at the counter.
      'modules/find/family.commands.ts',
      'modules/ordering/cart/cart.commands.ts',
      'modules/ordering/cart/cart.decide.ts',
      'modules/ordering/cart/change-order.commands.ts',
      'modules/ordering/cart/line-policies.decide.ts',
      'modules/ordering/cart/move-order.commands.ts',
      'modules/ordering/discounts/discount-codes.routes.ts',
      'modules/ordering/index.ts',
      'modules/ordering/menu.routes.ts',
      'modules/ordering/plan/plan-week.decide.ts',
      'modules/ordering/plan/plans.commands.ts',
    ])
  })
})
