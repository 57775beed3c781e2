import type { MobileNetwork } from '#contracts/ordering'
import { cutText } from '#kernel/cut-text'
import { refusal } from '../refusals'
import * as events from './events'
import {
  about,
  isAwaited,
  isMoneyOurs,
  isPromptWaiting,
  maxPrompts,
  mayReopen,
  type AttemptEvent,
  type StartedAttempt,
} from './payment-attempt'

/** A request that asked before sends no other. `holdUntil`: until when reopened days are kept. */
type AskPrompt = {
  kind: 'ask-prompt'
  network: MobileNetwork
  phone: string
  requestId: string
  holdUntil: Date
  now: Date
}
type RecordPrompt = { kind: 'record-prompt'; instructions: string | null; now: Date }
type RefusePrompt = {
  kind: 'refuse-prompt'
  network: MobileNetwork
  requestId: string
  why: string
  now: Date
}
type ChooseCardPage = { kind: 'choose-card-page'; holdUntil: Date; now: Date }
export type PromptCommand = AskPrompt | RecordPrompt | RefusePrompt | ChooseCardPage

/** Paying for a token that lives by a prompt, or by card after one (E22 of payments.md section 5). */
export const decidePrompt = (command: PromptCommand, attempt: StartedAttempt): AttemptEvent[] => {
  switch (command.kind) {
    case 'ask-prompt':
      return askPrompt(command, attempt)
    case 'record-prompt':
      return attempt.prompt ? [promptSentTo(attempt, command)] : []
    case 'refuse-prompt':
      return refusePrompt(command, attempt)
    case 'choose-card-page':
      return chooseCardPage(command, attempt)
  }
}

export const arePromptsUsedUp = ({ prompt }: StartedAttempt): boolean =>
  (prompt?.requests.length ?? 0) >= maxPrompts

/** Throws `attempt_closed`, `payment_expired`, `prompt_waiting`, `too_many_prompts`. */
const askPrompt = (command: AskPrompt, attempt: StartedAttempt): AttemptEvent[] => {
  const { requestId, network, phone, now } = command
  const requests = attempt.prompt?.requests ?? []
  if (requests.includes(requestId)) return []
  const reopened = reopenedToPay(command, attempt)
  if (isPromptWaiting(attempt, now)) throw refusal('prompt_waiting')
  if (arePromptsUsedUp(attempt)) throw refusal('too_many_prompts')
  return [...reopened, events.promptAsked({ ...about(attempt, now), requestId, network, phone })]
}

const promptSentTo = (attempt: StartedAttempt, { instructions, now }: RecordPrompt) =>
  events.promptSent({
    ...about(attempt, now),
    instructions: instructions === null ? null : cutText(instructions, 1000),
  })

const refusePrompt = (
  { requestId, network, why, now }: RefusePrompt,
  attempt: StartedAttempt,
): AttemptEvent[] =>
  isMoneyOurs(attempt) || attempt.refusedPrompts?.includes(requestId)
    ? []
    : [events.promptRefused({ ...about(attempt, now), requestId, network, why: cutText(why, 1000) })]

/** Throws `attempt_closed`, `payment_expired`. */
const chooseCardPage = (command: ChooseCardPage, attempt: StartedAttempt): AttemptEvent[] => [
  ...reopenedToPay(command, attempt),
  ...(attempt.method !== 'card' && attempt.method !== undefined
    ? [events.cardPageChosen(about(attempt, command.now))]
    : []),
]

const reopenedToPay = (
  { holdUntil, now }: Pick<AskPrompt, 'holdUntil' | 'now'>,
  attempt: StartedAttempt,
): AttemptEvent[] => {
  const isReopened = mayReopen(attempt)
  if (!attempt.token || !(isAwaited(attempt) || isReopened)) throw refusal('attempt_closed')
  if (now.getTime() >= Date.parse(attempt.token.limitAt)) throw refusal('payment_expired')
  if (!isReopened) return []
  return [events.paymentReopened({ ...about(attempt, now), holdUntil: holdUntil.toISOString() })]
}
