import type { FeatureName } from '#contracts/identity'
import type { FoundPayment } from '#contracts/find'
import type { OrderStatus, PayBy } from '#contracts/ordering'
import type { Ngwee } from '#kernel/money'
import type { Database, Reader } from '#platform/database'

/** An account with its children; of a deleted one the username is left. */
type FamilyAccount = {
  id: number
  username: string
  name: string
  email: string | null
  phone: string | null
  role: 'parent' | 'teacher' | 'admin'
  isDeleted: boolean
  students: { id: number; name: string; grade: string }[]
}

/** An order as the search shows it. */
export type FoundMeal = {
  id: string
  attemptId: string
  userId: number
  student: { name: string; grade: string }
  item: { name: string }
  mealDate: string
  price: Ngwee
  status: OrderStatus
  paymentStatus: 'confirmed' | 'pending'
  payBy: PayBy | null
  placedAt: Date
}

/** A payment as the search shows it, but for what other contexts know of it. */
export type FoundCheckout = Omit<FoundPayment, 'username' | 'familyId' | 'unpaid'> & { userId: number }

/** What the search needs of the process and of the other contexts; each looks into its own tables, over one connection. */
export type FindNeeds = {
  database: Pick<Database, 'pool'>
  identity: {
    /** The parents and teachers of these words or this phone number, and by which children it was; the newest first. */
    findFamilies: (
      at: Reader,
      question: { text: string; words: readonly string[]; phone: string | null; whole: boolean },
      limit: number,
    ) => Promise<{ userId: number; students: number[] }[]>
    familyAccounts: (at: Reader, userIds: readonly number[]) => Promise<FamilyAccount[]>
  }
  payments: {
    /** The payments of this reference, provider's token or provider's reference, a `like` pattern; at most 50. */
    attemptsCalled: (at: Reader, code: string) => Promise<{ id: string; userId: number }[]>
    /** These, those of these users, those of this amount; `unpaid` and the newest first. */
    attemptsFound: (
      at: Reader,
      question: {
        ids: readonly string[]
        users: readonly number[]
        amount: Ngwee | null
        unpaid: readonly string[]
      },
      limit: number,
    ) => Promise<FoundCheckout[]>
    /** Our reference of each of these payments; '' where it has none. */
    referencesOf: (at: Reader, attemptIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  }
  ordering: {
    /** The orders of these users, children and payments, and those at this price; unpaid ones and the newest first. */
    ordersFound: (
      at: Reader,
      question: {
        users: readonly number[]
        children: readonly { userId: number; studentId: number }[]
        attemptIds: readonly string[]
        price: Ngwee | null
      },
      limit: number,
    ) => Promise<FoundMeal[]>
    /** The payments with unpaid meals of these users, with these ids, and with so much unpaid; at most 500. */
    unpaidAttempts: (
      at: Reader,
      question: { users: readonly number[]; attemptIds: readonly string[]; amount: Ngwee | null },
    ) => Promise<{ attemptId: string; userId: number; toPay: Ngwee }[]>
  }
}

/** Who searches. */
export type Asker = { isSuperadmin: boolean; features: readonly string[] }

export const holdsOneOf = (asker: Asker, features: readonly FeatureName[]): boolean =>
  asker.isSuperadmin || features.some((feature) => asker.features.includes(feature))
