import { type MenuItemFields, createMenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import type { ErrorReply } from '#contracts/endpoint'
import {
  type FeatureName,
  type Grade,
  type Student,
  addStudent,
  createAdmin,
  currentUser,
} from '#contracts/identity'
import { createDiscountCode } from '#contracts/order-reports'
import { type CartLine, type Order, placeOrders } from '#contracts/ordering'
import { CallRefused, type Client } from '../../src/app/demo/client'
import { startSchool, type SchoolOptions } from '../support/school'

const everyDay = {
  weekNumbers: [1, 2, 3, 4],
  daysOfWeek: [1, 2, 3, 4, 5],
  allergens: [],
  proteinDescriptions: {},
  isAvailable: true,
  imageUrl: null,
  description: null,
}
const porridge: MenuItemFields = {
  ...everyDay,
  name: 'School porridge',
  price: '0',
  type: 'primary',
  categories: ['vegetarian', 'chicken'],
  sideDishes: ['Banana', 'Bread'],
}
const stew: MenuItemFields = {
  ...everyDay,
  name: 'Stew',
  price: '45.50',
  type: 'secondary',
  categories: ['beef'],
  sideDishes: [],
}

export type Canteen = Awaited<ReturnType<typeof openCanteen>>

const withChildren = async (parent: Client, username: string, grades: Exclude<Grade, 'teacher'>[]) => {
  const { id: userId } = await parent.call(currentUser)
  const children: Student[] = []
  for (const grade of grades)
    children.push(await parent.call(addStudent, { body: { name: `${username} ${grade}`, grade } }))
  return { parent, userId, children }
}

/**
 * The whole service on Monday 14 September 2026 at seven, the first day of a cycle of four weeks with Wednesday of
 * week 2 blocked: free porridge for the small ones, stew at K45.50 for the big ones, both every day; cutoff at eight.
 */
export const openCanteen = async (
  variables: Record<string, string> = {},
  more: Omit<SchoolOptions, 'at' | 'variables'> = {},
) => {
  const school = await startSchool({ at: '2026-09-14T07:00:00+02:00', variables, ...more })
  const superadmin = await school.superadmin()
  /** Without its version, so that a test may send it back whatever was changed since. */
  const served = async (body: MenuItemFields) => {
    const { version: _version, ...item } = await superadmin.call(createMenuItem, { body })
    return item
  }
  const items = { porridge: await served(porridge), stew: await served(stew) }
  const cycle = await superadmin.call(createCycle, {
    body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [{ week: 2, day: 3 }] },
  })

  return {
    ...school,
    superadminClient: superadmin,
    items,
    cycle,
    /** A parent with one child per grade. */
    family: async (username: string, ...grades: Exclude<Grade, 'teacher'>[]) =>
      withChildren(await school.parent(username), username, grades),
    /** The same with an email address, without which nobody pays by card. */
    payingFamily: async (username: string, ...grades: Exclude<Grade, 'teacher'>[]) =>
      withChildren(await school.parent(username, { email: `${username}@example.org` }), username, grades),
    administrator: async (username: string, ...allowedFeatures: FeatureName[]) => {
      const password = 'admin-password'
      await superadmin.call(createAdmin, { body: { username, password, allowedFeatures } })
      return school.signIn(username, password)
    },
    /** A meal like the stew, of another name and price; answers its id. */
    cooked: async (name: string, price: string, portionLimit: number | null = null) =>
      (await superadmin.call(createMenuItem, { body: { ...stew, name, price, portionLimit } })).id,
    discount: (userId: number, discountPercentage: number) =>
      superadmin.call(createDiscountCode, {
        body: { code: `CODE-${userId}`, userId, discountPercentage, isActive: true },
      }),
    /** Free porridge for a child on a day of week 1. */
    porridgeFor: (child: Student, dayOfWeek: number, more: Partial<CartLine> = {}): CartLine => ({
      menuItemId: items.porridge.id,
      studentId: child.id,
      weekNumber: 1,
      dayOfWeek,
      category: 'chicken',
      sideDish: 'Banana',
      comments: '',
      originalPrice: 0,
      discountedPrice: 0,
      discountPercentage: 0,
      ...more,
    }),
    stewFor: (child: Student, dayOfWeek: number, more: Partial<CartLine> = {}): CartLine => ({
      menuItemId: items.stew.id,
      studentId: child.id,
      weekNumber: 1,
      dayOfWeek,
      category: 'beef',
      originalPrice: 45.5,
      ...more,
    }),
  }
}

export const place = async (client: Client, lines: CartLine[], key?: string): Promise<Order[]> => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const { orders, payment } = await client.call(placeOrders, { body: lines, headers })
  expect(payment).toBeNull()
  return orders
}

/** The answer of a call that must be refused, with its status. */
export const refused = async (calling: Promise<unknown>): Promise<ErrorReply & { status: number }> => {
  const outcome = await calling.catch((error: unknown) => error)
  if (!(outcome instanceof CallRefused)) throw new Error(`Not refused: ${JSON.stringify(outcome)}`)
  return { ...outcome.body, status: outcome.status }
}
