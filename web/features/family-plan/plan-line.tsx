import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Student } from '#contracts/identity'
import { endPlan, pausePlan } from '#contracts/plan'
import { endpointMutation } from '../../lib/endpoint-query'
import { notifyFailure } from '../../lib/toast'
import { usePlan } from '../../queries/plan'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import { EveryWeek } from './every-week'
import { hourText, mealsAWeek, payText } from './plan-words'

/** The family's plan in one line; nothing without one. */
export const PlanLine = ({ students }: { students: readonly Student[] }) => {
  const plan = usePlan()?.plan
  const [asked, setAsked] = useState<'change' | 'end' | null>(null)
  const pausing = useMutation(pause)
  const ending = useMutation(end)
  if (!plan) return null
  const close = () => setAsked(null)
  return (
    <Card className="mb-4">
      <CardBody className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <strong>{plan.paused ? 'Your plan is paused' : 'Your plan'}</strong>
          {`: ${mealsAWeek(plan)} a week, ordered on ${hourText(plan.at)} · ${payText(plan.pay)}`}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setAsked('change')}>
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
      </CardBody>
      {asked === 'change' ? (
        <Dialog open title="Change your plan" onClose={close}>
          <EveryWeek
            namesOf={new Map(students.map(({ id, name }) => [id, name]))}
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

const pause = endpointMutation(pausePlan, 'ordering')
const end = endpointMutation(endPlan, 'ordering')
