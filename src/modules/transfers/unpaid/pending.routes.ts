import type { QueryOf } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import { pendingPayments, type PendingGroup } from '#contracts/transfers'
import { moneyOf } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import type { OrderFacts } from '#modules/ordering/index'
import { firstLapse } from '#modules/payments/index'
import { inOrderOfNames } from '#platform/http/paging'
import { route, withFeature, type Route } from '#platform/http/route'
import type { Person, TransfersNeeds } from '../ports'

export const pendingRoutes = (needs: TransfersNeeds): Route[] => [
  route(pendingPayments, withFeature('pending_payments'), ({ query }) => pendingPaymentsPage(needs, query)),
]

const groupsPerPage = 50
const shownBeforeMs = 60 * 60_000

/** administrator.md section 2.12. */
export const pendingPaymentsPage = async (
  needs: TransfersNeeds,
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
  const [people, references, lapsing] = await Promise.all([
    needs.identity.peopleOf(groups.map(({ userId }) => userId)),
    needs.payments.alternativeReferences([...new Set(attemptIds)]),
    needs.payments.lapsing(),
  ])
  const soon = needs.now().getTime() + shownBeforeMs
  const lapsesSoon = (orders: OrderFacts[]) => {
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

const filterOf = async ({ identity, payments }: TransfersNeeds, text: string) =>
  text === ''
    ? { text, userIds: [], attemptIds: [] }
    : {
        text,
        userIds: await identity.usersNamed(text),
        attemptIds: await payments.attemptsReferredTo(text),
      }

const usersByName = async ({ ordering, identity }: TransfersNeeds): Promise<number[]> => {
  const userIds = [...(await ordering.totals({ state: 'unpaid' }, 'user')).keys()]
  const users = userIds.map((userId) => ({ userId }))
  return inOrderOfNames(users, await identity.usernamesOf(userIds), 'asc').map(({ userId }) => userId)
}

const groupReply = (
  { userId, orders }: { userId: number; orders: OrderFacts[] },
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
