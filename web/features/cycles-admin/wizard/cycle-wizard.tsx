import { useMutation } from '@tanstack/react-query'
import { type MouseEvent, useReducer } from 'react'
import { adminToast } from '../../../lib/toast'
import { told } from '../../../lib/told'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { startCycle } from '../api'
import { BlockedDaysStep } from './blocked-days-step'
import { LengthStep } from './length-step'
import { ReviewStep } from './review-step'
import { StartDateStep } from './start-date-step'
import { newWizard, type StepProps, wizardReducer, type WizardStep, wizardSteps } from './wizard'
import { WizardProgress } from './wizard-progress'

/** Four steps to a new order cycle: length, start date, blocked days, review. */
export const CycleWizard = ({ onClose }: { onClose: () => void }) => {
  const [wizard, act] = useReducer(wizardReducer, newWizard)
  const creating = useMutation(startCycle)
  const create = async () => {
    const { cycleLength, startDate, blockedDays } = wizard
    if (cycleLength === null || startDate === '')
      return adminToast({ title: 'Error', text: 'Missing required information', kind: 'error' })
    const made = await told(creating.mutateAsync({ cycleLength, startDate, blockedDays }), {
      done: 'Order cycle created',
      failed: 'Failed to create order cycle',
    })
    if (made) onClose()
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Create Order Cycle"
      actions={
        <WizardButtons
          step={wizard.step}
          act={act}
          busy={creating.isPending}
          onCreate={() => void create()}
          onClose={onClose}
        />
      }
    >
      <div className="flex flex-col gap-5 pb-2">
        <WizardProgress step={wizard.step} />
        <Step wizard={wizard} act={act} />
      </div>
    </Dialog>
  )
}

type WizardButtonsProps = {
  step: WizardStep
  act: StepProps['act']
  busy: boolean
  onCreate: () => void
  onClose: () => void
}

const WizardButtons = ({ step, act, busy, onCreate, onClose }: WizardButtonsProps) => (
  <>
    {step === wizardSteps[0] ? (
      <Button variant="secondary" onClick={onClose}>
        Cancel
      </Button>
    ) : (
      <Button variant="secondary" onClick={() => act({ type: 'back' })} disabled={busy}>
        Back
      </Button>
    )}
    {step === 'review' ? (
      <Button
        icon="check"
        onClick={(event) => isFirstClick(event) && onCreate()}
        busy={busy}
        busyLabel="Creating..."
      >
        Create
      </Button>
    ) : (
      <Button onClick={() => act({ type: 'next' })}>Next</Button>
    )}
  </>
)

// The second click of a double click on Next lands on Create, which stands where Next stood.
const isFirstClick = (event: MouseEvent) => event.detail < 2

const Step = (props: StepProps) => {
  switch (props.wizard.step) {
    case 'cycle-length':
      return <LengthStep {...props} />
    case 'start-date':
      return <StartDateStep {...props} />
    case 'blocked-days':
      return <BlockedDaysStep {...props} />
    case 'review':
      return <ReviewStep wizard={props.wizard} />
  }
}
