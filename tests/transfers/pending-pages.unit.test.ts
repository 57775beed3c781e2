import { pendingPaymentsPage } from '#modules/transfers/unpaid/pending.routes'
import { standIn } from '../support/stand-in'

test.each([
  [1, 101, 3, true, false, 0],
  [2, 101, 3, true, true, 50],
  [3, 101, 3, false, true, 100],
  [1, 0, 1, false, false, 0],
])('page %i of %i groups', async (page, totalGroups, totalPages, hasNextPage, hasPreviousPage, offset) => {
  const asked: unknown[] = []
  const reply = await pendingPaymentsPage(
    standIn({
      payments: { mealsLapseFrom: async () => null, alternativeReferences: async () => new Map() },
      ordering: {
        unpaidOrders: async (_filter, wanted) => {
          asked.push(wanted)
          return { groups: [], totalGroups }
        },
        usersWithUnpaidOrders: async () => [],
      },
      now: () => new Date('2026-09-14T05:00:00Z'),
      identity: {
        usernamesOf: async () => new Map(),
        usersNamed: async () => [],
        peopleOf: async () => new Map(),
      },
    }),
    { page },
  )
  expect(reply.pagination).toEqual({ page, totalGroups, totalPages, hasNextPage, hasPreviousPage })
  expect(asked).toEqual([{ sort: 'waiting', direction: 'asc', usersByName: [], offset, limit: 50 }])
})
