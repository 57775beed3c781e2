import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order } from '#contracts/ordering'
import { messageOf, noAnswerCame } from '../../lib/call'
import { toast } from '../../lib/toast'
import { menuQuery } from '../../queries/catalogue'
import { calendarQuery, dateChoice, openDaysOfDish } from '../../queries/cycles'
import { Button } from '../../ui/button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { combinedQuery, QueryResult } from '../../ui/query-result'
import { Select } from '../../ui/select'
import { move, ordersQuery } from './api'
import { isOff, mealDay } from './order-text'

type MoveDialogProps = { order: Order; onClose: () => void }

/** The same lunch on another open day of the cycle; the server checks it as an order. */
export const MoveDialog = ({ order, onClose }: MoveDialogProps) => {
  const as = order.student.grade === 'teacher' ? 'teacher' : 'parent'
  const { data: orders = [] } = useQuery(ordersQuery(as))
  const read = combinedQuery(useQuery(calendarQuery), useQuery(menuQuery))
  return (
    <Dialog
      open
      title="Another day"
      description={`${order.menuItem.name} for ${order.student.name}, now ${mealDay(order)}`}
      onClose={onClose}
    >
      <QueryResult query={read} failure="Failed to fetch the calendar">
        {([cycles, items]) => {
          const taken = orders.filter((one) => one.studentId === order.studentId && !isOff(one))
          const item = items.find(({ id }) => id === order.menuItem.id)
          const dates = openDaysOfDish(cycles, item).filter((date) =>
            taken.every(({ mealDate }) => mealDate !== date),
          )
          return <MoveForm order={order} dates={dates} onDone={onClose} />
        }}
      </QueryResult>
    </Dialog>
  )
}

type MoveFormProps = { order: Order; dates: readonly string[]; onDone: () => void }

const MoveForm = ({ order, dates, onDone }: MoveFormProps) => {
  const [date, setDate] = useState('')
  const moving = useMutation({
    ...move,
    onSuccess: (moved) => {
      toast({ title: 'Lunch moved', text: mealDay(moved) })
      onDone()
    },
    onError: (error) =>
      toast({
        title: 'Error',
        text: messageOf(error, 'Failed to move the lunch', noAnswerCame),
        kind: 'error',
      }),
  })
  if (dates.length === 0) return <p>{order.menuItem.name} cannot be ordered on any other day of the cycle.</p>
  return (
    <div className="flex flex-col gap-4">
      <Select
        label="Day"
        placeholder="Choose a day"
        value={date}
        options={dates.map(dateChoice)}
        onChange={(event) => setDate(event.target.value)}
      />
      <p className="text-sm text-muted">The price stays the same, unless your discount has changed.</p>
      <DialogFoot>
        <Button
          disabled={date === ''}
          busy={moving.isPending}
          onClick={() => moving.mutate({ params: { id: order.id }, body: { date } })}
        >
          Move Lunch
        </Button>
      </DialogFoot>
    </div>
  )
}
