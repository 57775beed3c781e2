import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order } from '#contracts/ordering'
import { messageOf } from '../../lib/call'
import { lazyPart } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { setAbsent } from './api'

const ChangeDialog = lazyPart(() => import('./change-dialog').then((m) => m.ChangeDialog))

type FamilyActsProps = { order: Order; describedBy: string }

const actClass = 'px-3! text-sm! whitespace-nowrap'

/** Another meal instead, and "Ill today": what the server allows now. */
export const FamilyActs = ({ order, describedBy }: FamilyActsProps) => {
  const [changing, setChanging] = useState(false)
  return (
    <>
      {order.allowed.change ? (
        <Button
          variant="secondary"
          aria-describedby={describedBy}
          className={actClass}
          onClick={() => setChanging(true)}
        >
          Change Meal
        </Button>
      ) : null}
      {order.allowed.absent ? <AbsenceButton order={order} describedBy={describedBy} /> : null}
      {changing ? <ChangeDialog order={order} onClose={() => setChanging(false)} /> : null}
    </>
  )
}

const AbsenceButton = ({ order, describedBy }: FamilyActsProps) => {
  const failure = 'Failed to tell the tuckshop'
  const telling = useMutation({
    ...setAbsent,
    onSuccess: ({ absent }) =>
      toast({ title: absent ? 'The tuckshop knows that your child is ill' : 'The meal will be eaten' }),
    onError: (error) => toast({ title: 'Error', text: messageOf(error, failure), kind: 'error' }),
  })
  return (
    <Button
      variant="secondary"
      aria-describedby={describedBy}
      className={actClass}
      busy={telling.isPending}
      onClick={() => telling.mutate({ params: { id: order.id }, body: { absent: !order.absent } })}
    >
      {order.absent ? 'Not ill after all' : 'Ill today'}
    </Button>
  )
}
