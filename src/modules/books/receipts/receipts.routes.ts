import { getReceipt } from '#contracts/books'
import { route, signedIn, type Route } from '#platform/http/route'
import type { BooksNeeds } from '../ports'
import { maySeeAll, receiptCommands } from './receipts.commands'

export const receiptRoutes = (needs: BooksNeeds): Route[] => {
  const { receipt } = receiptCommands(needs)
  return [
    route(getReceipt, signedIn, ({ params, user }) =>
      receipt(params.number, (userId) => userId === user.userId || maySeeAll(user)),
    ),
  ]
}
