import { List } from 'immutable'
import type { Decider } from '#kernel/decider'
import { eventReader, type EventOf } from '#kernel/event'
import { refusal } from '../refusals'
import { transferConfirmed, transferUndone } from './events'

const transferEventTypes = [transferConfirmed, transferUndone] as const
export type TransferEvent = EventOf<(typeof transferEventTypes)[number]>

export type Confirmation = EventOf<typeof transferConfirmed>['data']

export type Transfer = { standing: Confirmation | null; undone: List<Confirmation> }

type Confirm = { kind: 'confirm'; confirmation: Omit<Confirmation, 'at'>; now: Date }
type Undo = { kind: 'undo'; by: number; now: Date }
export type TransferCommand = Confirm | Undo

const evolve = (transfer: Transfer, event: TransferEvent): Transfer => {
  if (event.type === transferConfirmed.type) return { ...transfer, standing: event.data }
  const { standing, undone } = transfer
  return { standing: null, undone: standing ? undone.push(standing) : undone }
}

const decide = (command: TransferCommand, transfer: Transfer): TransferEvent[] => {
  switch (command.kind) {
    case 'confirm':
      return confirm(command, transfer)
    case 'undo':
      return undo(command, transfer)
  }
}

export const transferDecider = {
  streamOf: (transferId: string): string => `transfer-${transferId}`,
  read: eventReader(...transferEventTypes),
  initial: { standing: null, undone: List() },
  evolve,
  decide,
} satisfies Decider<Transfer, TransferCommand, TransferEvent> & Record<string, unknown>

/** A transaction pays once: a second confirmation finds the first. */
const confirm = ({ confirmation, now }: Confirm, { standing, undone }: Transfer): TransferEvent[] => {
  const { confirmationId } = confirmation
  if (standing?.confirmationId === confirmationId) return []
  if (standing) throw refusal('row_confirmed')
  if (undone.some((earlier) => earlier.confirmationId === confirmationId)) throw refusal('undone_since')
  return [transferConfirmed({ ...confirmation, at: now.toISOString() })]
}

const undo = ({ by, now }: Undo, { standing }: Transfer): TransferEvent[] => {
  if (!standing) return []
  const { transferId, confirmationId, families, method } = standing
  return [transferUndone({ transferId, confirmationId, by, families, method, at: now.toISOString() })]
}
