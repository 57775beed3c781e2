import { getReceipt } from '#contracts/books'
import { route, signedIn, type Principal, type Route } from '#platform/http/route'
import type { BooksNeeds } from '../needs'
import { receiptCommands } from './receipts.commands'

export const receiptRoutes = (needs: BooksNeeds): Route[] => {
  const { receipt } = receiptCommands(needs)
  return [
    route(getReceipt, signedIn, ({ params, user }) =>
      receipt(params.number, (userId) => userId === user.userId || maySeeAll(user)),
    ),
  ]
}

const officeFeatures = ['refunds', 'live_orders', 'pending_payments']

export const maySeeAll = ({ role, isSuperadmin, features }: Principal): boolean =>
  role === 'admin' && (isSuperadmin || features.some((feature) => officeFeatures.includes(feature)))
