import type { CheckoutRow, GivenRow } from '#modules/credit/credit.view'

type Rows = {
  creditOfCheckouts: CheckoutRow[]
  creditGiven: GivenRow[]
  refundsAsCredit: { payout_id: string; refund_id: string }[]
}

/** What the sweeps of credit ask the tables. */
export type CreditLists = {
  checkoutsThatHold: () => Promise<string[]>
  checkoutsThatSpent: () => Promise<string[]>
  ordersCharged: () => Promise<string[]>
  ordersWithUnsettledChanges: () => Promise<string[]>
  ordersGivenCredit: (reason: 'order' | 'absence') => Promise<string[]>
  refundsNotGiven: () => Promise<string[]>
  entriesOfOrders: (orderIds: readonly string[]) => Promise<Map<string, number>>
}

export const creditLists = (rowsNow: () => Promise<Rows>): CreditLists => ({
  checkoutsThatHold: async () =>
    (await rowsNow()).creditOfCheckouts.flatMap((row) => (row.held > 0 ? [row.attempt_id] : [])),
  checkoutsThatSpent: async () =>
    (await rowsNow()).creditOfCheckouts.flatMap((row) => (row.spent > 0 ? [row.attempt_id] : [])),
  // Nobody changes an order to a dearer meal here.
  ordersCharged: async () => [],
  ordersWithUnsettledChanges: async () => [],
  ordersGivenCredit: async (reason) =>
    (await rowsNow()).creditGiven.flatMap((row) =>
      row.stands && row.id.startsWith(`${reason}/`) && row.order_id !== null ? [row.order_id] : [],
    ),
  entriesOfOrders: async (orderIds) => {
    const { creditGiven } = await rowsNow()
    return new Map(
      orderIds.flatMap((id): [string, number][] => {
        const given = creditGiven.filter((row) => row.order_id === id)
        return given.length === 0 ? [] : [[id, given.length]]
      }),
    )
  },
  refundsNotGiven: async () => {
    const { refundsAsCredit, creditGiven } = await rowsNow()
    const given = new Set(creditGiven.map(({ id }) => id))
    return refundsAsCredit.filter((row) => !given.has(`refund/${row.payout_id}`)).map((row) => row.refund_id)
  },
})
