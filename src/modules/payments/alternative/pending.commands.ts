import { moneyOf } from '#kernel/meal-line'
import type { QueryOf } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import type { PendingGroup, pendingPayments } from '#contracts/pending-payments'
import { kwachaFromNgwee } from '#kernel/money'
import { inOrderOfNames } from '../console/page-by-user'
import type { PaymentsNeeds, Person, UnpaidOrder } from '../needs'
import { firstLapse, lapsingFrom } from './lapsing'
import { attemptsReferredTo, referencesOf } from './references.rows'
import { readLapsingSince } from './settings.rows'

type PageNeeds = Pick<PaymentsNeeds, 'database' | 'now' | 'zone'> & {
  identity: Pick<PaymentsNeeds['identity'], 'usernamesOf' | 'usersNamed' | 'peopleOf'>
  ordering: Pick<PaymentsNeeds['ordering'], 'unpaidOrders' | 'usersWithUnpaidOrders'>
}

const groupsPerPage = 50
const shownBeforeMs = 60 * 60_000

/** Pending Payments (administrator.md section 2.12): who has yet to pay outside of the card provider, and for what. */
export const pendingPaymentsPage = async (
  needs: PageNeeds,
  {
    page: asked,
    limit = groupsPerPage,
    sort = 'waiting',
    direction = 'asc',
    text = '',
  }: QueryOf<typeof pendingPayments>,
) => {
  const page = Math.max(1, asked ?? 1)
  const { groups, totalGroups } = await needs.ordering.unpaidOrders(await filterOf(needs, text), {
    sort,
    direction,
    usersByName: sort === 'parent' ? await usersByName(needs) : [],
    offset: (page - 1) * limit,
    limit,
  })
  const attemptIds = groups.flatMap(({ orders }) => orders.map(({ attemptId }) => attemptId))
  const [people, references, since] = await Promise.all([
    needs.identity.peopleOf(groups.map(({ userId }) => userId)),
    referencesOf(needs.database.knex, [...new Set(attemptIds)]),
    readLapsingSince(needs.database.knex),
  ])
  const now = needs.now()
  const lapsing = lapsingFrom(since, now, needs.zone)
  const soon = now.getTime() + shownBeforeMs
  const lapsesSoon = (orders: UnpaidOrder[]) => {
    const at = firstLapse(orders, lapsing)
    return at !== null && at.getTime() <= soon ? at.toISOString() : null
  }
  const totalPages = Math.max(1, Math.ceil(totalGroups / limit))
  return {
    data: groups.map((group) => ({
      ...groupReply(group, people.get(group.userId), references),
      lapsesAt: lapsesSoon(group.orders),
    })),
    pagination: {
      page,
      totalGroups,
      totalPages,
      hasNextPage: page < totalPages,
      hasPreviousPage: page > 1,
    },
  }
}

const filterOf = async ({ identity, database }: PageNeeds, text: string) =>
  text === ''
    ? { text, userIds: [], attemptIds: [] }
    : {
        text,
        userIds: await identity.usersNamed(text),
        attemptIds: await attemptsReferredTo(database.knex, text),
      }

const usersByName = async ({ ordering, identity }: PageNeeds): Promise<number[]> => {
  const userIds = await ordering.usersWithUnpaidOrders()
  const users = userIds.map((userId) => ({ userId }))
  return inOrderOfNames(users, await identity.usernamesOf(userIds), 'asc').map(({ userId }) => userId)
}

const groupReply = (
  { userId, orders }: { userId: number; orders: UnpaidOrder[] },
  parent: Person | undefined,
  references: ReadonlyMap<string, string>,
): Omit<PendingGroup, 'lapsesAt'> => ({
  parentId: userId,
  parentUsername: parent?.username ?? '',
  parentName: parent?.name ?? '',
  parentPhone: parent?.phone ?? null,
  totalAmount: kwachaFromNgwee(orders.reduce((sum, order) => sum + moneyOf(order), 0)),
  orders: orders.map((order) => ({
    id: order.id,
    orderDate: order.placedAt.toISOString(),
    student: { name: order.student.name, grade: order.student.grade as Grade },
    menuItem: { name: order.item.name },
    weekNumber: order.week,
    dayOfWeek: order.day,
    amount: kwachaFromNgwee(moneyOf(order)),
    reference: references.get(order.attemptId) ?? '',
    payBy: order.payBy ?? 'other',
  })),
})
