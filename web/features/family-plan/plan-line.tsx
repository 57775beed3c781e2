import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endPlan, orderPlanWeek, pausePlan, type WeekState } from '#contracts/plan'
import { endpointMutation } from '../../lib/endpoint-query'
import { notifyFailure, toast, type ToastText } from '../../lib/toast'
import { studentsQuery } from '../../queries/identity'
import { usePlan } from '../../queries/plan'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import { EveryWeek } from './every-week'
import { PlanWeeks } from './plan-weeks'
import { hourText, mealsAWeek, payText } from './plan-words'

/** The family's plan in one line; nothing without one. */
export const PlanLine = () => {
  const students = useQuery(studentsQuery).data ?? []
  const { plan, next, weeks = [] } = usePlan() ?? {}
  const [asked, setAsked] = useState<'change' | 'end' | null>(null)
  const pausing = useMutation(pause)
  const ending = useMutation(end)
  const ordering = useMutation(order)
  if (!plan) return null
  const close = () => setAsked(null)
  const namesOf = new Map(students.map(({ id, name }) => [id, name]))
  const orderNow = async (week: string) => {
    const reply = await ordering.mutateAsync({ body: { week } })
    toast(outcomes[reply.weeks.find((one) => one.week === week)?.state ?? 'nothing'])
  }
  const orderButton = (week: string) => (
    <Button variant="secondary" busy={ordering.isPending} onClick={() => act(orderNow(week))}>
      Order now
    </Button>
  )
  return (
    <Card className="mb-4">
      <CardBody className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <strong>{plan.paused ? 'Your plan is paused' : 'Your plan'}</strong>
          {`: ${mealsAWeek(plan)} a week, ordered on ${hourText(plan.at)} · ${payText(plan.pay)}`}
        </p>
        <div className="flex flex-wrap gap-2">
          {next && next.orders.length > 0 ? orderButton(next.week) : null}
          <Button variant="secondary" aria-label="Change your plan" onClick={() => setAsked('change')}>
            Change
          </Button>
          <Button
            variant="secondary"
            busy={pausing.isPending}
            onClick={() => act(pausing.mutateAsync({ body: { paused: !plan.paused } }))}
          >
            {plan.paused ? 'Go on' : 'Pause'}
          </Button>
          <Button variant="ghost" onClick={() => setAsked('end')}>
            End
          </Button>
        </div>
        <PlanWeeks
          title="Weeks of your plan"
          weeks={next ? [next, ...weeks] : weeks}
          namesOf={namesOf}
          act={({ week, state }) => (state === 'not_paid' || state === 'failed' ? orderButton(week) : null)}
        />
      </CardBody>
      {asked === 'change' ? (
        <Dialog open title="Change your plan" onClose={close}>
          <EveryWeek
            namesOf={namesOf}
            wanted={plan.children}
            saved={plan}
            version={plan.version}
            onSaved={close}
          />
        </Dialog>
      ) : null}
      <ConfirmDialog
        open={asked === 'end'}
        title="End your plan?"
        confirm="End the plan"
        busy={ending.isPending}
        onConfirm={() => act(ending.mutateAsync({}).then(close))}
        onClose={close}
      >
        The plan orders no further week. Meals that are ordered stay ordered.
      </ConfirmDialog>
    </Card>
  )
}

const act = (done: Promise<unknown>) =>
  void done.catch((error: unknown) => notifyFailure(error, 'The plan could not be changed'))

const outcomes: Record<WeekState, ToastText> = {
  announced: { title: 'Your week will be ordered', kind: 'info' },
  ordered: { title: 'Your week is ordered' },
  waiting: {
    title: 'Waiting for your payment',
    text: 'The meals are ordered once it is paid.',
    kind: 'info',
  },
  not_paid: { title: 'The week is not ordered', text: 'It was not paid.', kind: 'error' },
  nothing: { title: 'Nothing was ordered', text: 'See the reasons under Weeks of your plan.', kind: 'info' },
  failed: { title: 'The week could not be ordered', text: 'Nothing was taken.', kind: 'error' },
}

const order = endpointMutation(orderPlanWeek, 'ordering', 'payments')
const pause = endpointMutation(pausePlan, 'ordering')
const end = endpointMutation(endPlan, 'ordering')
