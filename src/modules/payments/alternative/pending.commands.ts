import type { Pool } from 'pg'
import type { Grade } from '#contracts/identity'
import type { QueryOf } from '#contracts/endpoint'
import type { PendingGroup, pendingPayments, PendingSort } from '#contracts/pending-payments'
import type { Direction } from '#contracts/sorting'
import { kwachaFromNgwee } from '#kernel/money'
import type { Ngwee } from '#kernel/money'
import { attemptsReferredTo, referencesOf } from './references.rows'
import type { Author } from '../checkout/complete-checkout.commands'
import { inOrderOfNames } from '../console/page-by-user'

/** An order that has yet to be paid for, as ordering tells it. */
export type UnpaidOrder = {
  id: string
  attemptId: string
  student: { name: string; grade: string }
  item: { name: string }
  week: number
  day: number
  price: Ngwee
  placedAt: Date
}
type UnpaidGroup = { userId: number; orders: UnpaidOrder[] }

export type PendingNeeds = {
  database: { pool: Pool }
  /**
   * One page of the users with orders yet to be paid for of whom one has the text in its student or item, or is of such
   * an attempt or user; '' takes all. `usersByName` is everybody in the order in which `parent` sorts.
   */
  unpaidOrders: (
    filter: { text: string; userIds: readonly number[]; attemptIds: readonly string[] },
    page: {
      sort: PendingSort
      direction: Direction
      usersByName: readonly number[]
      offset: number
      limit: number
    },
  ) => Promise<{ groups: UnpaidGroup[]; totalGroups: number }>
  usersWithUnpaidOrders: () => Promise<number[]>
  /** Refuses unknown orders before any is changed; one that cannot be paid for any more comes back as skipped. */
  confirmPayments: (
    orderIds: readonly string[],
    by: Omit<Author, 'at'>,
  ) => Promise<{ updated: number; skipped: readonly { message: string }[] }>
  usernames: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** The users whose username contains this text, without regard to case. */
  usersNamed: (text: string) => Promise<number[]>
}

const groupsPerPage = 50

/** Pending Payments (administrator.md section 2.12): who has yet to pay outside of the card provider, and for what. */
export const pendingPaymentsPage = async (
  needs: PendingNeeds,
  {
    page: asked,
    limit = groupsPerPage,
    sort = 'waiting',
    direction = 'asc',
    text = '',
  }: QueryOf<typeof pendingPayments>,
) => {
  const page = Math.max(1, asked ?? 1)
  const { groups, totalGroups } = await needs.unpaidOrders(await filterOf(needs, text), {
    sort,
    direction,
    usersByName: sort === 'parent' ? await usersByName(needs) : [],
    offset: (page - 1) * limit,
    limit,
  })
  const attemptIds = groups.flatMap(({ orders }) => orders.map(({ attemptId }) => attemptId))
  const [usernames, references] = await Promise.all([
    needs.usernames(groups.map(({ userId }) => userId)),
    referencesOf(needs.database.pool, [...new Set(attemptIds)]),
  ])
  const totalPages = Math.max(1, Math.ceil(totalGroups / limit))
  return {
    data: groups.map((group) => groupReply(group, usernames, references)),
    pagination: {
      page,
      totalGroups,
      totalPages,
      hasNextPage: page < totalPages,
      hasPreviousPage: page > 1,
    },
  }
}

const filterOf = async ({ usersNamed, database }: PendingNeeds, text: string) =>
  text === ''
    ? { text, userIds: [], attemptIds: [] }
    : {
        text,
        userIds: await usersNamed(text),
        attemptIds: await attemptsReferredTo(database.pool, text),
      }

const usersByName = async ({ usersWithUnpaidOrders, usernames }: PendingNeeds): Promise<number[]> => {
  const userIds = await usersWithUnpaidOrders()
  const users = userIds.map((userId) => ({ userId }))
  return inOrderOfNames(users, await usernames(userIds), 'asc').map(({ userId }) => userId)
}

const groupReply = (
  { userId, orders }: UnpaidGroup,
  usernames: ReadonlyMap<number, string>,
  references: ReadonlyMap<string, string>,
): PendingGroup => ({
  parentId: userId,
  parentUsername: usernames.get(userId) ?? '',
  totalAmount: kwachaFromNgwee(orders.reduce((sum, { price }) => sum + price, 0)),
  orders: orders.map((order) => ({
    id: order.id,
    orderDate: order.placedAt.toISOString(),
    student: { name: order.student.name, grade: order.student.grade as Grade },
    menuItem: { name: order.item.name },
    weekNumber: order.week,
    dayOfWeek: order.day,
    amount: kwachaFromNgwee(order.price),
    reference: references.get(order.attemptId) ?? '',
  })),
})

/** The money for these orders has been seen; repeated it changes nothing. */
export const verifyPendingPayments = async (
  needs: PendingNeeds,
  orderIds: readonly string[],
  by: Omit<Author, 'at'>,
) => {
  const { updated, skipped } = await needs.confirmPayments(orderIds, by)
  const verified = `${updated} ${updated === 1 ? 'payment' : 'payments'} verified`
  const left = skipped[0] ? `, ${skipped.length} could not be: ${skipped[0].message}` : ''
  return { message: verified + left, updated }
}
