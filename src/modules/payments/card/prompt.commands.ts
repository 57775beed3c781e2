import { v5, v7 } from 'uuid'
import type { LineRefusal, MobileNetwork } from '#contracts/ordering'
import type { ShownPrompt } from '#contracts/payments'
import { maskedPhone } from '#kernel/phone-number'
import type { Refusal } from '#kernel/refusal'
import type { Hold } from '#modules/ordering/index'
import { linesRefused } from '#modules/ordering/published'
import { advanced, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import { changeAttempt, loadAttempt, type AttemptNow } from '../attempt/change-attempt.commands'
import type { BlockReason } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import {
  isAwaited,
  isGivenUp,
  isMoneyOurs,
  isPromptRefused,
  promptWaitMs,
  type StartedAttempt,
} from '../attempt/payment-attempt'
import { arePromptsUsedUp, decidePrompt, type PromptCommand } from '../attempt/prompt.decide'
import type { PaymentsNeeds } from '../ports'
import type { CardProvider, MobileOption } from '../providers/provider'
import { refusal } from '../refusals'
import { cancelPayment } from '../settlement/give-up.commands'
import type { Settled, SettlingNeeds } from '../settlement/settle.commands'
import { heldAnew, holdOf } from './issue-token.commands'
import { promptUnavailable } from './start.decide'

/** `phone` as `+260977123456`. */
export type AskedPrompt = { network: MobileNetwork; phone: string }

type Request = { requestId: string }

/** The same for every repeat of a request. */
export const promptRequestId = (attemptId: string, idempotencyKey: string | null): string =>
  idempotencyKey === null ? v7() : v5(`prompt ${idempotencyKey}`, attemptId)

/** Whose prompt it is, and from where. */
type Asker = { userId: number; ip: string }

/** Throws as `NotePrompt` before anything is done. What fails, or `isNone`, was none. */
export const countingPrompt = async <Result>(
  { notePrompt }: SettlingNeeds,
  { userId, ip }: Asker,
  { phone }: AskedPrompt,
  send: () => Promise<Result>,
  isNone: (result: Result) => boolean = () => false,
): Promise<Result> => {
  const takeBack = await notePrompt({ userId, phone, ip })
  try {
    const result = await send()
    if (isNone(result)) await takeBack()
    return result
  } catch (error) {
    await takeBack()
    throw error
  }
}

/**
 * Asks the payer's phone to approve the attempt's token (phone-money-and-counter.md section 1). The asking is stored before the provider is
 * called: after a crash in between, no repeat of the request sends another. Throws
 * `prompt_unavailable`, `prompt_waiting`, `too_many_prompts`, `payment_expired`, `attempt_closed`, `already_ordered`, `lines_refused`.
 */
export const sendPrompt =
  (needs: SettlingNeeds, provider: CardProvider) =>
  async (
    { checkout, token }: StartedAttempt,
    { network, phone, requestId }: AskedPrompt & Request,
    by: By,
  ): Promise<AttemptNow> => {
    const { attemptId } = checkout
    if (!token) throw refusal('payment_failed')
    const option = await mobileOption(provider, token.token, network)
    const unavailable = (why: string) => promptRefused(needs, attemptId, { network, requestId, why }, by)
    if (!option) throw await unavailable('The network is not offered')
    const ask = { kind: 'ask-prompt', network, phone, requestId } as const
    const asked = await payAgain(needs, attemptId, ask, by)
    if (!asked.isChanged) return asked
    const answer = await provider.sendPrompt({ token: token.token, option, phone: phone.slice(1) })
    switch (answer.kind) {
      case 'sent':
        return changeAttempt(needs, attemptId, by, (attempt, now) =>
          decidePrompt({ kind: 'record-prompt', instructions: answer.instructions, now }, attempt),
        )
      case 'paid':
        return needs.settle(attemptId, { source: 'checkout' }, by)
      case 'unreachable':
        return asked
      case 'config':
      case 'refused':
        needs.log.warn({ attemptId, code: answer.code }, 'the provider refuses a prompt')
        throw await unavailable(`The prompt was refused: ${answer.code} ${answer.explanation}`)
    }
  }

/** The provider's name for the network in Zambia; null when it is not offered or cannot be read. */
const mobileOption = async (
  provider: CardProvider,
  token: string,
  network: MobileNetwork,
): Promise<MobileOption | null> => {
  const answer = await provider.mobileOptions(token)
  if (answer.kind !== 'options') return null
  const isOurs = ({ name, countryCode }: MobileOption) =>
    countryCode === '260' && name.toLowerCase().includes(network)
  return answer.options.find(isOurs) ?? null
}

/** Recorded first: nothing rings. Where the provider does not cancel, a payment may still come until the time limit. */
const promptRefused = async (
  needs: PaymentsNeeds,
  attemptId: string,
  refused: { network: MobileNetwork; requestId: string; why: string },
  by: By,
): Promise<Refusal> => {
  const { attempt } = await changeAttempt(needs, attemptId, by, (known, now) =>
    decidePrompt({ kind: 'refuse-prompt', ...refused, now }, known),
  )
  await cancelPayment(needs, attempt, refused.why, by)
  return promptUnavailable(refused.network)
}

type PayAgain =
  | Pick<Extract<PromptCommand, { kind: 'ask-prompt' }>, 'kind' | 'network' | 'phone' | 'requestId'>
  | { kind: 'choose-card-page' }

/** Holds days and credit in the same append where the attempt was given up (E22). Of two at once one appends. */
export const payAgain = (
  needs: PaymentsNeeds,
  attemptId: string,
  command: PayAgain,
  by: By,
): Promise<AttemptNow & { isChanged: boolean }> =>
  handleCommand(needs, by, async (now) => {
    const loaded = await loadStream(needs.eventStore, paymentAttempt, attemptId)
    const before = loaded.state
    if (before.status === 'none') throw refusal('attempt_not_found')
    const hold = holdToLimitOf(needs, before, now)
    const events = decidePrompt({ ...command, holdUntil: hold.until, now }, before)
    const attempt = advanced(paymentAttempt, loaded, events).state as StartedAttempt
    const isReopened = isGivenUp(before) && isAwaited(attempt)
    const held = isReopened ? await heldToPayAgain(needs, attempt, hold, now) : []
    return { changes: [{ loaded, events }, ...held], attempt, isChanged: events.length > 0 }
  })

const holdToLimitOf = (needs: PaymentsNeeds, { token }: StartedAttempt, now: Date): Hold =>
  holdOf(needs, token ? new Date(token.limitAt) : now)

const heldToPayAgain = async (needs: PaymentsNeeds, attempt: StartedAttempt, hold: Hold, at: Date) => {
  const { userId, lines } = attempt.checkout
  const gone = await needs.ordering.paidLineUnavailableReasons(userId, lines, at)
  if (gone.length > 0)
    throw linesRefused(gone.map(({ index, reason }) => ({ index, code: lineRefusalOf[reason] })))
  const { taken, changes } = await heldAnew(needs, attempt, hold, at)
  if (taken.some(({ code }) => code === 'already_ordered' || code === 'day_reserved'))
    throw refusal('already_ordered', { extra: { lines: taken } })
  if (taken.length > 0) throw linesRefused(taken)
  return changes
}

const lineRefusalOf: Record<Exclude<BlockReason, 'error'>, LineRefusal> = {
  unknown_student: 'student_not_found',
  foreign_student: 'student_not_found',
  day_blocked: 'day_blocked',
  day_past: 'day_past',
  cutoff_passed: 'cutoff_passed',
  cycle_missing: 'no_active_cycle',
  cycle_inactive: 'no_active_cycle',
  missing_item: 'item_missing',
  item_withdrawn: 'item_unavailable',
  duplicate_day: 'already_ordered',
  sold_out: 'sold_out',
  price_above_paid: 'price_changed',
  credit_gone: 'credit_gone',
}

const shownForMs = 5 * 60_000

/** What the waiting screen shows; null while no prompt can be answered. */
export const shownPrompt = (attempt: StartedAttempt): ShownPrompt | null => {
  const { prompt, token } = attempt
  if (!prompt || !token || !isAwaited(attempt) || attempt.method === 'card' || isPromptRefused(attempt))
    return null
  const { network, phone, askedAt, instructions } = prompt
  const since = Date.parse(askedAt)
  const expiresAt = new Date(Math.min(since + shownForMs, Date.parse(token.limitAt))).toISOString()
  const againAt = new Date(since + promptWaitMs).toISOString()
  return { phone: maskedPhone(phone) ?? '', network, instructions, expiresAt, againAt }
}

type PromptAgain = Request & {
  attempt: StartedAttempt
  asked: Partial<AskedPrompt>
  ip: string
  /** The school sends prompts. */
  isOn: boolean
  by: By
}

/**
 * Paid meanwhile, or asked by this request before: sends nothing. Throws as `NotePrompt` before the provider is asked, as `sendPrompt`, and
 * `prompt_off`.
 */
export const promptAgain =
  (needs: SettlingNeeds, provider: CardProvider) =>
  async ({ attempt: known, asked, requestId, ip, isOn, by }: PromptAgain): Promise<Settled> => {
    const { attemptId, userId } = known.checkout
    const found = await loadAttempt(needs, attemptId)
    const { attempt: before } = found
    const network = asked.network ?? before.prompt?.network
    const phone = asked.phone ?? before.prompt?.phone
    const send = async () => {
      const settled = await needs.settle(attemptId, { source: 'return' }, by, found)
      const { attempt } = settled
      if (isMoneyOurs(attempt) || attempt.prompt?.requests.includes(requestId)) return settled
      if (!isOn) throw refusal('prompt_off')
      if (!network || !phone) throw refusal('attempt_closed')
      const ask = { network, phone, requestId }
      const now = needs.now()
      const { until: holdUntil } = holdToLimitOf(needs, attempt, now)
      // Refused before the provider is asked for its networks: where it fails, the payment is cancelled.
      decidePrompt({ kind: 'ask-prompt', ...ask, holdUntil, now }, attempt)
      return { ...settled, ...(await sendPrompt(needs, provider)(attempt, ask, by)) }
    }
    const isAnswered = isMoneyOurs(before) || before.prompt?.requests.includes(requestId)
    if (isAnswered || !isOn || !network || !phone || arePromptsUsedUp(before)) return send()
    return countingPrompt(needs, { userId, ip }, { network, phone }, send, isPaid)
  }

const isPaid = ({ attempt }: Settled): boolean => isMoneyOurs(attempt)
