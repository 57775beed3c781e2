import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Ports } from '#platform/ports'

/** As paid; amounts in ngwee, `credit` is part of the price. */
export type PaidMeal = {
  mealDate: SchoolDate
  student: string
  item: string
  category: string | null
  sideDish: string | null
  originalPrice: Ngwee
  price: Ngwee
  credit: Ngwee
}

/** `token` and `ref` are the provider's, `reference` is ours. */
export type CardNames = {
  attemptId: string
  token: string | null
  ref: string | null
  reference: string | null
}

export type BooksNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  ordering: Ordering
  payments: Payments
  refunds: Refunds
}
