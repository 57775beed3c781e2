import type { ReplyOf } from '#contracts/endpoint'
import type { placeOrders } from '#contracts/ordering'
import type { PaidFrom, PaymentBypass } from '#contracts/payments'
import type { MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { loadStream, loadStreams } from '#platform/event-store/command-handler'
import { partOfAccount, type FamilyPart } from '#platform/family-data'
import type { Module } from '#platform/module'
import { alternativeRoutes } from './alternative/alternative.routes'
import {
  cardNames,
  attemptsOfUser,
  cardPayments,
  owedForClosures,
  owingAttempts,
  paymentsShown,
  attemptsView,
  type CardNames,
  type CardPayment,
  type OwingAttempt,
  type ShownPayment,
} from './attempt/attempts.view'
import { paidCheckout } from './attempt/change-attempt.commands'
import * as events from './attempt/events'
import { paymentAttempt } from './attempt/fold'
import { owedBack, paidForLine, type OwedBack } from './attempt/payment-attempt'
import { readBypass, readLapsing } from './attempt/payment-bypass.rows'
import { attemptsReferredTo, noteToken, referencesOf, tokenRetention } from './attempt/references.rows'
import { type Lapsing } from './attempt/unpaid.decide'
import { startCardPayment } from './card/card-checkout.commands'
import { cardRoutes } from './card/card.routes'
import { promptNoteRetention, promptNotes } from './card/prompt-notes.rows'
import { checkoutRoutes, placeCheckout } from './checkout/checkout.routes'
import { finishFreeCheckouts, type OfficeCheckout } from './checkout/place-order.commands'
import { consoleRoutes } from './console/console.routes'
import {
  attemptsFound,
  attemptsNamed,
  attemptsOfFamily,
  referencesAt,
  familyReply,
  foundReply,
  type FamilyAttempt,
  type FoundAttempt,
} from './console/find-attempts.rows'
import { paidFromById, withPaidFrom } from './console/paid-from.rows'
import { paymentsToDecide, recoveryListRoutes } from './console/recovery-list.routes'
import { planSweeps } from './plan/carry-out-plans.job'
import { planOfFamily, planPart } from './plan/plan-reply.commands'
import { planRoutes } from './plan/plan.routes'
import type { PaymentsNeeds } from './ports'
import { paymentsStatuses } from './refusals'
import { lettersView } from './settlement/letters.view'
import { forgetPushesOf, paymentRetentions } from './settlement/push.commands'
import { pushRoutes } from './settlement/push.routes'
import {
  followHeldCredit,
  cardPaymentSweeps,
  recoverPaymentWork,
  settlePayments,
} from './settlement/settle-card-payments.job'
import { recordRefund, verifyAndSettle, type SettlingNeeds } from './settlement/settle.commands'
import {
  paymentMeasures,
  cardPaymentsUnderWay,
  itemsInPayment,
  mealsInPayment,
} from './settlement/unfinished.rows'
import { paymentLetters, writeLetterWhenPaymentChanges } from './settlement/write-letters.reactor'
export { firstLapse, lapseByCutoff, type Lapsing } from './attempt/unpaid.decide'
export { dpoProvider } from './providers/dpo'
export { dpoTimeouts } from './providers/dpo-wire'
export type { CardProvider } from './providers/provider'
export type { FamilyAttempt, FoundAttempt } from './console/find-attempts.rows'
export type { PaymentsNeeds } from './ports'

const ofLines = ['lines.*.student.name', 'lines.*.comments']
const ofAnswer = ['explanation']
const ofReport = ['report.explanation', 'report.cardLast4']

/** Paths of personal data: children's names and remarks, administrators' notes, and the provider's free text, payers' numbers and card digits. */
const personalDataPaths = {
  [events.checkoutStarted.type]: [...ofLines, 'office.note', 'office.late'],
  [events.linesAmended.type]: ofLines,
  [events.mismatchAccepted.type]: ['reason'],
  [events.remainderWaived.type]: ['reason'],
  [events.providerTokenRefused.type]: ['detail'],
  [events.paymentVerified.type]: ofReport,
  [events.paymentMismatched.type]: ofReport,
  [events.promptAsked.type]: ['phone'],
  [events.promptSent.type]: ['instructions'],
  [events.promptRefused.type]: ['why'],
  [events.paymentStillPending.type]: ofAnswer,
  [events.paymentDeclined.type]: ofAnswer,
  [events.paymentCancelled.type]: ofAnswer,
  [events.paymentExpired.type]: ofAnswer,
  [events.providerAnswerNoted.type]: ofAnswer,
}

const paymentParts: FamilyPart[] = [
  partOfAccount(
    'payments',
    `select id, kind, status, reference, started_at as "startedAt", total / 100.0::float8 as amount,
       (attempt -> 'money' ->> 'amount')::float8 / 100 as "receivedAmount", attempt -> 'token' ->> 'ref' as "providerReference",
       attempt -> 'prompt' ->> 'network' as network, attempt -> 'prompt' ->> 'phone' as phone
     from payments.attempts where user_id = $1 order by started_at desc, id limit $2`,
  ),
]

export const paymentsModule = (needs: PaymentsNeeds) => {
  const { database, queue } = needs
  const parts: SettlingNeeds = {
    ...needs,
    settle: verifyAndSettle(needs),
    settings: () => readBypass(needs),
    notePrompt: promptNotes(needs),
    noteToken: noteToken(needs),
  }
  const settling = settlePayments(needs)
  const letters = paymentLetters(needs)
  const place = placeCheckout(parts)
  const start = startCardPayment(parts)
  const planning = { ...needs, place, start }
  const attemptOf = async (id: string) => (await loadStream(needs.eventStore, paymentAttempt, id)).state
  const module: Module = {
    name: 'payments',
    routes: [
      ...checkoutRoutes(place),
      ...alternativeRoutes(needs),
      ...cardRoutes(parts, start),
      ...planRoutes(planning),
      ...consoleRoutes(parts),
      ...recoveryListRoutes(needs),
      ...pushRoutes(parts),
    ],
    views: [attemptsView, lettersView],
    reactors: [settling.reactor, writeLetterWhenPaymentChanges(queue)],
    jobs: [settling.work, recoverPaymentWork(parts), letters.job],
    sweeps: [
      finishFreeCheckouts(needs),
      followHeldCredit(needs),
      letters.sweep,
      ...cardPaymentSweeps(parts),
      settling.sweep,
      ...planSweeps(planning),
    ],
    measures: paymentMeasures(needs),
    retentions: [
      ...paymentRetentions(needs),
      letters.retention,
      promptNoteRetention(needs),
      tokenRetention(needs),
    ],
    personal: personalDataPaths,
    familyParts: [...paymentParts, planPart(needs)],
    refusals: paymentsStatuses,
  }
  return {
    ...module,
    itemsInPayment: (itemIds: readonly number[]): Promise<Set<number>> =>
      itemsInPayment(database.pool, itemIds),
    mealsInPayment: (studentIds: readonly number[]): Promise<number> =>
      mealsInPayment(database.pool, studentIds),
    placeForFamily: (asked: OfficeCheckout): Promise<ReplyOf<typeof placeOrders>> => place(asked),
    owedForClosures: (closureIds: readonly string[]): Promise<Map<string, Ngwee>> =>
      owedForClosures(database.knex, closureIds),
    cardPaymentsUnderWay: (
      dates: readonly SchoolDate[],
      isConcerned: (child: { grade: string; class?: string | undefined }) => boolean,
    ): Promise<number> => cardPaymentsUnderWay(database.pool, dates, isConcerned, needs.now()),
    attemptsOfUser: (userId: number): Promise<string[]> => attemptsOfUser(database.knex, userId),
    paymentsShown: (attemptIds: readonly string[]): Promise<Map<string, ShownPayment>> =>
      paymentsShown(database.knex, attemptIds),
    cardPayments: (attemptIds: readonly string[]): Promise<ReadonlyMap<string, CardPayment>> =>
      cardPayments(database.knex, attemptIds),
    cardNames: (asked: Parameters<typeof cardNames>[1]): Promise<CardNames[]> =>
      cardNames(database.pool, asked),
    attemptStream: paymentAttempt.streamOf,
    paidCheckout: paidCheckout(needs),
    attemptsNamed,
    attemptsFound: async (...asked: Parameters<typeof attemptsFound>): Promise<FoundAttempt[]> =>
      (await withPaidFrom(needs, await attemptsFound(...asked))).flatMap(foundReply),
    paidFromById: (owed: Parameters<typeof paidFromById>[1]): Promise<ReadonlyMap<string, PaidFrom>> =>
      paidFromById(needs, owed),
    referencesOf: referencesAt,
    paymentsToDecide,
    alternativeSettings: (): Promise<PaymentBypass> => readBypass(needs),
    alternativeReferences: (attemptIds: readonly string[]): Promise<Map<string, string>> =>
      referencesOf(database.knex, attemptIds),
    attemptsReferredTo: (text: string): Promise<string[]> => attemptsReferredTo(database.knex, text),
    /** Null: unpaid meals stay. */
    lapsing: (): Promise<Lapsing | null> => readLapsing(needs),
    attemptsOfFamily: async (...asked: Parameters<typeof attemptsOfFamily>): Promise<FamilyAttempt[]> =>
      (await withPaidFrom(needs, await attemptsOfFamily(...asked))).flatMap(familyReply),
    /** Removes provider texts about a deleted account. */
    forgetUser: async (userId: number): Promise<void> => {
      await forgetPushesOf(database.knex, userId)
    },
    owingAttempts: (): Promise<OwingAttempt[]> => owingAttempts(database.knex),
    planOfFamily: planOfFamily(needs),
    recordRefund: recordRefund(needs),
    owedByAttempt: async (attemptId: string): Promise<OwedBack[]> => owedBack(await attemptOf(attemptId)),
    /** In ngwee. */
    checkoutsOf: async (attemptIds: readonly string[]): Promise<{ attemptId: string; lines: MealLine[] }[]> =>
      (await loadStreams(needs.eventStore, paymentAttempt, attemptIds)).flatMap(({ state }) =>
        state.status === 'none' ? [] : state.checkout,
      ),
    paidForLine: async (attemptId: string, line: number): Promise<Ngwee> =>
      paidForLine(await attemptOf(attemptId), line),
  }
}

export type Payments = ReturnType<typeof paymentsModule>
