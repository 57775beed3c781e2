import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { readDevice, writeDevice } from '../../lib/device-storage'
import { counted, kwacha } from '../../lib/format'
import { schoolClock, schoolDate, schoolNow } from '../../lib/school-moment'
import { notifyOutcome } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { undoOrders } from './pending-groups'

/** `amount` in kwacha, `at` an ISO instant. */
const verification = z.object({ orderIds: z.array(z.string()), amount: z.number(), at: z.string() })
export type Verification = z.infer<typeof verification>

// Keys with this prefix go at sign-out, unless the device is one's own.
const storageKey = 'tuckshop-verified'

const readToday = (): Verification[] => {
  try {
    const stored = z.parse(z.array(verification), JSON.parse(readDevice(storageKey) ?? '[]'))
    return stored.filter(({ at }) => schoolDate(at) === schoolDate(schoolNow()))
  } catch {
    return []
  }
}

/** Stored on the device, since the list no longer shows them. */
export const useVerifiedToday = () => {
  const [verified, setVerified] = useState(readToday)
  const keep = (next: Verification[]) => {
    writeDevice(storageKey, JSON.stringify(next))
    setVerified(next)
  }
  return {
    verified,
    add: (one: Omit<Verification, 'at'>) => keep([{ ...one, at: schoolNow() }, ...verified]),
    remove: (one: Verification) => keep(verified.filter((other) => other !== one)),
  }
}

type VerifiedTodayProps = { verified: readonly Verification[]; onUndone: (one: Verification) => void }

/** Verification can be undone on the same day. */
export const VerifiedToday = ({ verified, onUndone }: VerifiedTodayProps) => {
  const undoing = useMutation(undoOrders)
  const undo = async (one: Verification) => {
    const result = await notifyOutcome(undoing.mutateAsync(one.orderIds), {
      done: ({ updated }) => ({ title: 'Undone', text: `${counted(updated, 'order')} unpaid again` }),
      failed: 'Failed to undo',
    })
    if (result) onUndone(one)
  }
  return verified.length === 0 ? null : (
    <Notice title="Marked paid today">
      <ul className="flex w-full flex-col gap-2">
        {verified.map((one) => {
          const words = `${schoolClock(one.at)}: ${counted(one.orderIds.length, 'order')}, ${kwacha(one.amount)}`
          return (
            <li key={one.at} className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="money">{words}</span>
              <Button
                variant="secondary"
                size="sm"
                icon="undo"
                aria-label={`Undo ${words}`}
                disabled={undoing.isPending}
                onClick={() => void undo(one)}
              >
                Undo
              </Button>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
