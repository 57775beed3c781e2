import type { Grade } from '#contracts/identity'
import type { AttemptItem, FailedOrder, LiveOrder } from '#contracts/payments-console'
import { normalizedCodeSql } from '#kernel/folded-name'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { ListedAttempt } from '../attempt/attempts.view'
import {
  allowedActions,
  liveLabel,
  mayRetryUnder,
  reasonOf,
  reasonText,
  recoveryError,
  reasonsOf,
  recoveryStatus,
} from '../attempt/labels'
import { toPayFor, isGivenUp, ledgerOf, payByOf, type StartedAttempt } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../ports'
import { withPaidFrom } from './paid-from.rows'

const maxIdentified = 50

/** Newest first, at most 50. `code` is a `like` pattern; `LP` may be missing. `number`: a whole phone that was asked to pay. */
export const attemptsNamed = async (
  at: Reader,
  { code, number }: { code: string | null; number: string | null },
): Promise<{ id: string; userId: number }[]> => {
  const { rows } = await at.query<{ id: string; userId: number }>(
    `select id, user_id as "userId" from payments.attempts where id in (
       select id from payments.attempts where reference is not null and ${normalizedCodeSql('reference')} like $1
       union all
       select id from payments.attempts where reference is not null and ${normalizedCodeSql('reference')} like 'LP' || $1
       union all
       select id from payments.attempts where token is not null and ${normalizedCodeSql('token')} like $1
       union all
       select id from payments.attempts where attempt->'token'->>'ref' is not null
         and ${normalizedCodeSql(`(attempt->'token'->>'ref')`)} like $1
       union all
       select id from payments.attempts where attempt->'prompt' is not null
         and attempt->'prompt'->'phones' @> to_jsonb($3::text))
     order by started_at desc, id desc limit $2`,
    [code, maxIdentified, number],
  )
  return rows
}

type AttemptQuestion = {
  ids: readonly string[]
  users: readonly number[]
  amount: Ngwee | null
  unpaid: readonly string[]
}

const isOpen = `status in ('draft', 'initiated', 'processing', 'recovering', 'review')`

// Selects the few shown before reading whole checkouts.
const place = `id, started_at, (${isOpen}) as is_open`

/** By id, user or amount: unpaid first, then newest. Scans the newest `limit` per user and amount, plus the unpaid. */
export const attemptsFound = async (
  at: Reader,
  { ids, users, amount, unpaid }: AttemptQuestion,
  limit: number,
): Promise<ListedAttempt[]> => {
  const { rows } = await at.query<ListedAttempt>(
    `with picked as (
       select ${place} from payments.attempts where id = any($1::uuid[] || $4::uuid[])
       union
       select a.* from unnest($2::int[]) as wanted (user_id) cross join lateral (
         select ${place} from payments.attempts where user_id = wanted.user_id
         order by started_at desc limit $5) a
       union
       (select ${place} from payments.attempts where total = $3 order by started_at desc limit $5)
       union
       (select ${place} from payments.attempts where (attempt->'money'->>'amount')::bigint = $3
          and (attempt->'money'->>'amount')::bigint <> total order by started_at desc limit $5)
       union
       (select ${place} from payments.attempts where ${isOpen} and total = $3 limit $5)),
     shown as (
       select id, (is_open or id = any($4::uuid[])) as comes_first from picked
       order by comes_first desc, started_at desc, id desc limit $5)
     select user_id, attempt from shown join payments.attempts using (id)
     order by comes_first desc, started_at desc, id desc`,
    [ids, users, amount, unpaid, limit],
  )
  return rows
}

export const referencesAt = async (
  at: Reader,
  attemptIds: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await at.query<{ id: string; reference: string }>(
    'select id, reference from payments.attempts where id = any($1::uuid[]) and reference is not null',
    [attemptIds],
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

const maxPerFamily = 50

export const attemptsOfFamily = async (
  at: Reader,
  userId: number,
): Promise<(ListedAttempt & { since: Date })[]> => {
  const { rows } = await at.query<ListedAttempt & { since: Date }>(
    `select user_id, attempt, since_at as since from payments.attempts where user_id = $1
     order by started_at desc, id desc limit $2`,
    [userId, maxPerFamily],
  )
  return rows
}

const itemsOf = (attempt: StartedAttempt): AttemptItem[] =>
  attempt.checkout.lines.map((line) => {
    const outcome = attempt.outcomes[line.index]
    const reason = reasonOf(attempt, line.index)
    return {
      index: line.index,
      studentId: line.slot.studentId,
      student: { name: line.student.name, grade: line.student.grade as Grade },
      menuItem: { id: line.item.id, name: line.item.name, price: kwachaFromNgwee(line.originalPrice) },
      weekNumber: line.slot.week,
      dayOfWeek: line.slot.day,
      category: line.category,
      sideDish: line.sideDish,
      comments: line.comments,
      originalPrice: kwachaFromNgwee(line.originalPrice),
      discountedPrice: kwachaFromNgwee(line.price),
      discountPercentage: line.discountPercentage,
      orderId: outcome?.kind === 'ordered' ? outcome.orderId : null,
      reason: reason ? reasonText[reason] : null,
      ...(reason && { code: reason }),
    }
  })

const receivedOf = ({ money }: StartedAttempt): number | null =>
  typeof money?.amount === 'number' ? kwachaFromNgwee(money.amount) : null

/** What other modules know of an attempt. */
type AboutAttempt = Pick<LiveOrder, 'username' | 'parentName' | 'transfer' | 'paidWith' | 'paidFrom'>

export const liveReply = (attempt: StartedAttempt, about: AboutAttempt): LiveOrder => {
  const { checkout, token } = attempt
  const allowed = allowedActions(attempt)
  const original = checkout.lines.reduce((sum, { originalPrice }) => sum + originalPrice, 0)
  return {
    id: checkout.attemptId,
    createdAt: checkout.at,
    ...about,
    kind: checkout.kind,
    payBy: payByOf(attempt),
    ...liveLabel(attempt),
    state: attempt.status,
    transactionId: token?.token ?? null,
    reference: checkout.companyRef ?? '',
    amount: kwachaFromNgwee(toPayFor(checkout.lines)),
    receivedAmount: receivedOf(attempt),
    originalAmount: kwachaFromNgwee(original),
    cartItems: itemsOf(attempt),
    allowed: { ...allowed, retry: allowed.retry && about.paidWith === null },
  }
}

/** Amounts in kwacha. */
export type FoundAttempt = Pick<
  LiveOrder,
  | 'id'
  | 'kind'
  | 'payBy'
  | 'paidFrom'
  | 'status'
  | 'state'
  | 'transactionId'
  | 'reference'
  | 'amount'
  | 'receivedAmount'
> & { at: string; userId: number }

type FoundRow = ListedAttempt & Pick<LiveOrder, 'paidFrom'>

export const foundReply = ({ user_id: userId, attempt, paidFrom }: FoundRow): FoundAttempt[] => {
  if (attempt.status === 'none') return []
  const about = { username: '', parentName: '', transfer: null, paidWith: null, paidFrom }
  const { id, createdAt: at, kind, payBy, ...reply } = liveReply(attempt, about)
  const { status, state, transactionId, reference, amount, receivedAmount } = reply
  const money = { transactionId, reference, amount, receivedAmount }
  return [{ id, at, userId, kind, payBy, paidFrom, status, state, ...money }]
}

/** Amounts in ngwee; in kwacha in `shown`. */
export type FamilyAttempt = {
  shown: FoundAttempt
  since: Date
  toPay: Ngwee
  received: Ngwee
  owed: Ngwee
  meals: number
  notOrdered: number
  mayAccept: boolean
}

export const familyReply = ({ since, ...row }: FoundRow & { since: Date }): FamilyAttempt[] => {
  const { attempt } = row
  if (attempt.status === 'none') return []
  const { owed, received } = ledgerOf(attempt)
  const { lines } = attempt.checkout
  return foundReply(row).map((shown) => ({
    shown,
    since,
    toPay: toPayFor(lines),
    received,
    owed,
    meals: lines.length,
    notOrdered: lines.filter(({ index }) => attempt.outcomes[index]?.kind !== 'ordered').length,
    mayAccept: allowedActions(attempt).accept,
  }))
}

/** Null for an attempt that is never listed. */
export const failedReply = (
  attempt: StartedAttempt,
  { username: customer, parentName, paidWith }: AboutAttempt,
  family: readonly { id: number; name: string; grade: string }[],
): FailedOrder | null => {
  const status = recoveryStatus(attempt)
  if (!status) return null
  const { checkout } = attempt
  const { retry: amend, accept, waive } = allowedActions(attempt)
  const [first] = checkout.lines
  const codes = reasonsOf(attempt)
  return {
    id: checkout.attemptId,
    orderDate: checkout.at,
    customer,
    parentName,
    paidWith,
    student: first?.student ?? { name: 'N/A', grade: 'N/A' },
    amount: kwachaFromNgwee(toPayFor(checkout.lines)),
    receivedAmount: receivedOf(attempt),
    status,
    error: recoveryError(attempt),
    ...(codes.length > 0 && { code: codes[0], codes }),
    paymentRef: checkout.companyRef ?? '',
    cartItems: itemsOf(attempt),
    students: family.map(({ id, name, grade }) => ({ id, name, grade: grade as Grade })),
    allowed: { retry: mayRetryUnder(status) && paidWith === null, amend, accept, waive },
  }
}

export const startedIn = (rows: readonly ListedAttempt[]): StartedAttempt[] =>
  rows.flatMap(({ attempt }) => (attempt.status === 'none' ? [] : [attempt]))

/** Replies of listed attempts, with what other modules know of each. */
export const listedReplies = async <Reply>(
  needs: PaymentsNeeds,
  rows: readonly ListedAttempt[],
  reply: (attempt: StartedAttempt, about: AboutAttempt) => Reply | null,
): Promise<Reply[]> => {
  const { identity, ordering } = needs
  const listed = await withPaidFrom(needs, rows)
  const started = startedIn(rows)
  const transfers = started.filter(({ checkout }) => checkout.kind === 'alternative')
  const [people, money, paid] = await Promise.all([
    identity.peopleOf([...new Set(started.map(({ checkout }) => checkout.userId))]),
    ordering.totals({ attemptIds: transfers.map(({ checkout }) => checkout.attemptId) }, 'attempt'),
    paidSince(needs, started),
  ])
  return listed.flatMap(({ attempt, paidFrom }) => {
    if (attempt.status === 'none') return []
    const { userId, attemptId } = attempt.checkout
    const person = people.get(userId)
    const shown = reply(attempt, {
      username: person?.username ?? 'N/A',
      parentName: person?.name ?? '',
      transfer: transferOf(money.get(attemptId)),
      paidWith: paid.get(attemptId) ?? null,
      paidFrom,
    })
    return shown === null ? [] : [shown]
  })
}

const transferOf = (
  money: { unpaid: number; paid: number; toPay: Ngwee } | undefined,
): LiveOrder['transfer'] => {
  if (!money) return null
  const paidOrNot = money.paid > 0 ? 'paid' : 'cancelled'
  return { state: money.unpaid > 0 ? 'unpaid' : paidOrNot, unpaid: kwachaFromNgwee(money.toPay) }
}

const lunchesOf = ({ checkout }: StartedAttempt) =>
  checkout.lines.map(({ slot, mealDate: date }) => ({ studentId: slot.studentId, date }))

/** By given up attempt: the references under which all of its meals were paid since. */
export const paidSince = async (
  { ordering, database: { pool } }: PaymentsNeeds,
  attempts: readonly StartedAttempt[],
): Promise<Map<string, string[]>> => {
  const givenUp = attempts.filter((attempt) => attempt.checkout.kind === 'card' && isGivenUp(attempt))
  if (givenUp.length === 0) return new Map()
  const lunches = givenUp.flatMap(lunchesOf)
  const orders = await ordering.ordersWhere({
    state: 'paid',
    lunches,
  })
  const attemptOf = new Map(
    orders.map(({ studentId, mealDate, attemptId }) => [`${studentId} ${mealDate}`, attemptId]),
  )
  const references = await referencesAt(pool, [...new Set(attemptOf.values())])
  return new Map(
    givenUp.flatMap((attempt) => {
      const paidBy = lunchesOf(attempt).map(({ studentId, date }) => attemptOf.get(`${studentId} ${date}`))
      if (paidBy.some((by) => by === undefined || by === attempt.checkout.attemptId)) return []
      const named = new Set(paidBy.flatMap((by) => references.get(by!) ?? []))
      return [[attempt.checkout.attemptId, [...named]] as const]
    }),
  )
}
