import { useMutation } from '@tanstack/react-query'
import type { FamilyPage } from '#contracts/find'
import { pausePlanOfFamily } from '#contracts/plan'
import { endpointMutation } from '../../lib/endpoint-query'
import { notifyFailure } from '../../lib/toast'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { PlanWeeks } from './plan-weeks'
import { hourText, mealsAWeek, payText } from './plan-words'

type PlanForOfficeProps = { page: FamilyPage; mayPause: boolean }

/** The office reads a family's plan and pauses it; the family alone sets it. */
export const PlanForOffice = ({ page, mayPause }: PlanForOfficeProps) => {
  const { plan, weeks, parent, children } = page
  const pausing = useMutation(pause)
  if (!plan && weeks.length === 0) return null
  const setPaused = (paused: boolean) =>
    void pausing
      .mutateAsync({ params: { id: parent.id }, body: { paused } })
      .catch((error: unknown) => notifyFailure(error, 'The plan could not be changed'))
  return (
    <Card>
      <CardHeading
        title={plan?.paused ? 'Plan (paused)' : plan ? 'Plan' : 'Plan (ended)'}
        actions={
          plan && mayPause ? (
            <Button variant="secondary" busy={pausing.isPending} onClick={() => setPaused(!plan.paused)}>
              {plan.paused ? 'Go on' : 'Pause'}
            </Button>
          ) : null
        }
      />
      <CardBody>
        {plan ? (
          <p>{`${mealsAWeek(plan)} a week, ordered on ${hourText(plan.at)} · ${payText(plan.pay, 'their')}`}</p>
        ) : null}
        <PlanWeeks
          title="Weeks of the plan"
          weeks={weeks}
          namesOf={new Map(children.map(({ id, name }) => [id, name]))}
        />
      </CardBody>
    </Card>
  )
}

const pause = endpointMutation(pausePlanOfFamily, 'payments')
