import type { ReplyOf } from '#contracts/endpoint'
import {
  getFamily,
  familyFeatures,
  find,
  findFeatures,
  paymentFeatures,
  statementFeatures,
} from '#contracts/find'
import type { Grade } from '#contracts/identity'
import { foldedWords } from '#kernel/folded-name'
import { kwachaFromNgwee, ngweeFromSearch, type Ngwee } from '#kernel/money'
import { internationalPhone, phoneEnding } from '#kernel/phone-number'
import type { OrderFacts } from '#modules/ordering/index'
import type { FoundAttempt } from '#modules/payments/index'
import { readWithTimeout, tookTooLong, type Reader } from '#platform/database'
import { holdsOneOf, route, withFeature, type Principal, type Route } from '#platform/http/route'
import { familyPage, refusal, type FindNeeds } from './family.commands'

/** Allows typing, stops scraping. */
const searches = { name: 'find', points: 120, seconds: 60, by: 'user' } as const

export const findRoutes = (needs: FindNeeds): Route[] => {
  const search = findAnything(needs)
  const page = familyPage(needs)
  return [
    route(find, withFeature(...findFeatures), ({ query, user }) => search(query.q, user), {
      limit: searches,
    }),
    route(getFamily, withFeature(...familyFeatures), ({ params, user }) =>
      page(params.id, { mayOrder: holdsOneOf(user, 'parents_students') }),
    ),
  ]
}

type Found = ReplyOf<typeof find>

/** Results per list, families that may match, and families looked into further. */
const shown = 20
const maxFamilies = 500
const maxSearched = 50

const statementMs = 2_000

/** Filtered by the caller's features. Throws `find_took_too_long`. */
const findAnything =
  (needs: FindNeeds) =>
  async (typed: string, asker: Principal): Promise<Found> => {
    const asked = parseSearchQuery(typed)
    const sees = {
      families: holdsOneOf(asker, ...familyFeatures),
      payments: holdsOneOf(asker, ...paymentFeatures),
      statements: holdsOneOf(asker, ...statementFeatures),
    }
    try {
      return await readWithTimeout(needs.database.pool, statementMs, (at) => found(needs, at, asked, sees))
    } catch (error) {
      throw tookTooLong(error) ? refusal('find_took_too_long') : error
    }
  }

type Sees = { families: boolean; payments: boolean; statements: boolean }

const found = async (needs: FindNeeds, at: Reader, asked: SearchQuery, sees: Sees): Promise<Found> => {
  const leads = await leadsTo(needs, at, asked, sees)
  const { families, wholeFamilies, children, paymentIds, orderIds, unpaid } = leads
  const checkouts = sees.payments
    ? await needs.payments.attemptsFound(
        at,
        { ids: paymentIds, users: families, amount: asked.amount, unpaid },
        shown,
      )
    : []
  const question = { users: wholeFamilies, children, attemptIds: paymentIds, orderIds, price: asked.amount }
  const meals = await needs.ordering.ordersFound(at, question, shown)
  return {
    families: sees.families ? await familiesOf(needs, at, leads.shownFamilies) : [],
    ...(await namedFinds(needs, at, { checkouts, meals }, sees)),
    statementRows: sees.statements ? await statementRowsFound(needs, at, asked, leads.shownFamilies) : [],
  }
}

/** Families in display order: debtors first, then the newest. */
type Leads = {
  families: number[]
  wholeFamilies: number[]
  children: { userId: number; studentId: number }[]
  paymentIds: string[]
  orderIds: string[]
  unpaid: string[]
  shownFamilies: number[]
}

const leadsTo = async (needs: FindNeeds, at: Reader, asked: SearchQuery, sees: Sees): Promise<Leads> => {
  const question = { ...asked, whole: !sees.families }
  const matches = await needs.identity.findFamilies(at, question, maxFamilies)
  const called = await findByCode(needs, at, asked)
  const users = [...new Set([...called.users, ...matches.map(({ userId }) => userId)])]
  const { paymentIds, orderIds } = called
  const { amount } = asked
  const owed = await needs.ordering.unpaidAttempts(at, { users, attemptIds: paymentIds, amount })
  const owing = new Set(owed.map(({ userId }) => userId))
  const inOrder = [...users.filter((id) => owing.has(id)), ...users.filter((id) => !owing.has(id))]
  const childrenOf = new Map(matches.map(({ userId, students }) => [userId, students]))
  const families = inOrder.filter((id) => childrenOf.has(id)).slice(0, maxSearched)
  const isLead = new Set<string | number>([...families, ...paymentIds])
  return {
    families,
    wholeFamilies: families.filter((id) => childrenOf.get(id)?.length === 0),
    children: families.flatMap((userId) =>
      (childrenOf.get(userId) ?? []).map((studentId) => ({ userId, studentId })),
    ),
    paymentIds,
    orderIds,
    unpaid: owed
      .filter(
        ({ attemptId, userId, toPay }) => isLead.has(attemptId) || isLead.has(userId) || toPay === amount,
      )
      .map(({ attemptId }) => attemptId),
    shownFamilies: inOrder.slice(0, shown),
  }
}

/** Payments by reference, token and the whole phone that paid, transfers by that and by transaction id, receipts by number. */
const findByCode = async (
  needs: FindNeeds,
  at: Reader,
  { code, number, receipt }: SearchQuery,
): Promise<{ users: number[]; paymentIds: string[]; orderIds: string[] }> => {
  const isNamed = code !== null || number !== null
  const attempts = isNamed ? await needs.payments.attemptsNamed(at, { code, number }) : []
  const transfers = isNamed ? await needs.transfers.transfersFound(at, { code, number }) : []
  const receipts = receipt === null ? [] : await needs.books.receiptsByNumber(at, receipt)
  const orderIds = [...transfers, ...receipts].flatMap((one) => one.orderIds)
  const paidBy =
    orderIds.length === 0
      ? []
      : [...(await needs.ordering.totals({ ids: orderIds }, 'attempt', { at })).keys()]
  return {
    users: [
      ...attempts.map(({ userId }) => userId),
      ...transfers.flatMap(({ users }) => users),
      ...receipts.map(({ userId }) => userId),
    ],
    paymentIds: [
      ...new Set([
        ...attempts.map(({ id }) => id),
        ...paidBy,
        ...receipts.flatMap(({ attemptId }) => attemptId ?? []),
      ]),
    ],
    orderIds,
  }
}

const statementRowsFound = async (
  needs: FindNeeds,
  at: Reader,
  { words, code, phone, amount }: SearchQuery,
  users: readonly number[],
): Promise<Found['statementRows']> => {
  const rows = await needs.transfers.statementRowsFound(at, { words, code, phone, amount, users }, shown)
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), amount: kwachaFromNgwee(row.amount) }))
}

const sumOf = (owed: readonly { toPay: Ngwee }[]): number =>
  kwachaFromNgwee(owed.reduce((sum, { toPay }) => sum + toPay, 0))

const familiesOf = async (
  needs: FindNeeds,
  at: Reader,
  users: readonly number[],
): Promise<Found['families']> => {
  const unpaid = await needs.ordering.unpaidAttempts(at, { users, attemptIds: [], amount: null })
  const accounts = await needs.identity.familyAccounts(at, users)
  return accounts
    .filter(({ isDeleted }) => !isDeleted)
    .toSorted((one, other) => users.indexOf(one.id) - users.indexOf(other.id))
    .map(({ id, username, name, email, phone, role, students }) => ({
      id,
      username,
      name,
      email,
      phone,
      role,
      students: students.map((student) => ({ ...student, grade: student.grade as Grade })),
      unpaid: sumOf(unpaid.filter(({ userId }) => userId === id)),
    }))
}

const namedFinds = async (
  needs: FindNeeds,
  at: Reader,
  { checkouts, meals }: { checkouts: FoundAttempt[]; meals: OrderFacts[] },
  sees: Sees,
): Promise<Pick<Found, 'payments' | 'orders'>> => {
  const attemptIds = checkouts.map(({ id }) => id)
  const unpaid = await needs.ordering.unpaidAttempts(at, { users: [], attemptIds, amount: null })
  const references = await needs.payments.referencesOf(
    at,
    meals.map(({ attemptId }) => attemptId),
  )
  const accounts = await needs.identity.familyAccounts(at, [
    ...new Set([...checkouts, ...meals].map(({ userId }) => userId)),
  ])
  const whose = (userId: number) => {
    const account = accounts.find(({ id }) => id === userId)
    return {
      username: account?.username ?? 'N/A',
      familyId: sees.families && account && !account.isDeleted ? userId : null,
    }
  }
  return {
    payments: checkouts.map(({ userId, ...checkout }) => ({
      ...checkout,
      ...whose(userId),
      unpaid: sumOf(unpaid.filter(({ attemptId }) => attemptId === checkout.id)),
    })),
    orders: meals.map((meal) => ({
      id: meal.id,
      at: meal.placedAt.toISOString(),
      ...whose(meal.userId),
      reference: references.get(meal.attemptId) ?? '',
      student: { name: meal.student.name, grade: meal.student.grade as Grade },
      menuItem: { name: meal.item.name },
      mealDate: meal.mealDate,
      price: kwachaFromNgwee(meal.price),
      status: meal.status,
      paymentStatus: meal.paymentStatus,
      payBy: meal.payBy,
    })),
  }
}

type SearchQuery = {
  text: string
  /** Folded; each must occur in a name. */
  words: readonly string[]
  /** A reference, token or number as a `like` pattern. */
  code: string | null
  /** Without country code and leading zero. */
  phone: string | null
  number: string | null
  amount: Ngwee | null
  receipt: ReceiptQuery | null
}

type ReceiptQuery = { kind: 'receipt' | 'credit_note'; year: number; number: number }

const maxWords = 6

export const parseSearchQuery = (typed: string): SearchQuery => {
  const text = typed.trim().toLowerCase()
  return {
    text,
    words: foldedWords(text, maxWords),
    code: codeIn(text),
    phone: phoneEnding(text),
    number: internationalPhone(text),
    amount: ngweeFromSearch(text),
    receipt: receiptIn(text),
  }
}

/** A partial code counts only if it cannot be a name or an amount. */
const codeIn = (text: string): string | null => {
  if (!/^[\x20-\x7e]*$/.test(text)) return null
  const signs = text.replaceAll(/[^a-z0-9]/g, '').toUpperCase()
  if (signs.length < 3) return null
  const isBeginning = /^LP.{2}/.test(signs) || (signs.length >= 6 && /\d/.test(signs))
  return isBeginning ? `${signs}%` : signs
}

const receiptIn = (text: string): ReceiptQuery | null => {
  const [, note, year, number] = /^(cn)?\s*(20\d\d)\s*-\s*(\d{1,9})$/.exec(text) ?? []
  return year === undefined
    ? null
    : { kind: note ? 'credit_note' : 'receipt', year: Number(year), number: Number(number) }
}
