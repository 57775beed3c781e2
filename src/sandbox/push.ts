import { decimalFromNgwee } from '#kernel/money'
import type { Now } from '#platform/ports'
import type { Log } from '#platform/log'
import { writeXml } from '#modules/payments/providers/dpo-wire'
import { approvalOf, statusAt, type SandboxTransaction, type SandboxTransactions } from './transaction'

export type SandboxPushNeeds = {
  transactions: SandboxTransactions
  now: Now
  log: Log
  pushUrl: () => string
  send?: typeof fetch
}

const timeoutMs = 5_000
const maxAtOnce = 4
const maxTries = 5
const pauseMs = 30_000

/** Pushes paid transactions in the background: 4 at once, 5 s and 5 tries each. `sweep` takes the rest. */
export const sandboxPushes = (needs: SandboxPushNeeds) => {
  const { transactions, now, log } = needs
  const running = new Set<Promise<void>>()
  const ending = new AbortController()

  const deliver = async (token: string) => {
    const claimed = await transactions.change(token, (transaction) => claim(transaction, now()))
    if (!claimed) return
    const taken = await push(needs, claimed, ending.signal)
    if (!taken) log.warn({ tries: claimed.pushTries }, 'a push of the sandbox provider was not taken')
    if (taken || claimed.pushTries >= maxTries)
      await transactions.change(token, (transaction) => ({ ...transaction, pushAt: null }))
  }

  const inBackground = (token: string) => {
    const work = deliver(token).catch((err: unknown) =>
      log.warn({ err }, 'a push of the sandbox provider failed'),
    )
    const done = work.finally(() => running.delete(done))
    running.add(done)
  }

  return {
    /** Soon, if one is due. */
    start: (token: string): void => {
      if (running.size < maxAtOnce && !ending.signal.aborted) inBackground(token)
    },
    sweep: async (): Promise<void> => {
      for (const token of await transactions.pushesDue(now(), 20)) await deliver(token)
    },
    close: async (): Promise<void> => {
      ending.abort()
      await Promise.all(running)
    },
  }
}

/** Claims a push for half a minute, so that no other process sends it. */
const claim = (transaction: SandboxTransaction, at: Date): SandboxTransaction | null => {
  const { pushAt, pushTries } = transaction
  if (pushAt === null || new Date(pushAt) > at || statusAt(transaction, at) !== 'paid') return null
  return {
    ...transaction,
    pushAt: new Date(at.getTime() + pauseMs).toISOString(),
    pushTries: pushTries + 1,
  }
}

const push = async (
  { pushUrl, send = fetch }: SandboxPushNeeds,
  transaction: SandboxTransaction,
  ended: AbortSignal,
): Promise<boolean> => {
  try {
    const response = await send(pushUrl(), {
      method: 'POST',
      headers: { 'Content-Type': 'application/xml; charset=utf-8', 'User-Agent': 'Tuckshop-Sandbox/1.0' },
      body: pushXml(transaction),
      redirect: 'manual',
      signal: AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]),
    })
    return response.status === 200 && (await response.text()).trim() === 'OK'
  } catch {
    return false
  }
}

export const pushXml = (transaction: SandboxTransaction): string =>
  writeXml('API3G', {
    Result: '000',
    ResultExplanation: 'Transaction Paid',
    TransactionToken: transaction.token,
    TransactionRef: transaction.ref,
    TransactionApproval: approvalOf(transaction),
    TransactionCurrency: transaction.currency,
    TransactionAmount: decimalFromNgwee(transaction.amount),
    FraudAlert: '000',
  })
