import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { classes } from '../../../lib/classes'
import { adminToast, notifyOutcome } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { Icon } from '../../../ui/icon'
import { startCycle } from '../api'
import { startedToast } from '../cycle-text'
import {
  BlockedDaysStep,
  ReviewStep,
  LengthStep,
  StartDateStep,
  fieldOf,
  newCycle,
  startOf,
  type WizardStep,
  wizardSteps,
} from './wizard-steps'

const steps = {
  'cycle-length': LengthStep,
  'start-date': StartDateStep,
  'blocked-days': BlockedDaysStep,
  review: ReviewStep,
} as const

/** Four steps to a new order cycle: length, start date, blocked days, review. */
export const CycleWizard = ({ onClose }: { onClose: () => void }) => {
  const [step, setStep] = useState<WizardStep>('cycle-length')
  const form = useForm({ resolver: zodResolver(newCycle), defaultValues: { picked: '', blockedDays: [] } })
  const creating = useMutation(startCycle)
  const create = form.handleSubmit(async ({ picked, ...cycle }) => {
    const made = await notifyOutcome(
      creating.mutateAsync({ body: { ...cycle, startDate: startOf(picked) } }),
      {
        done: ({ overlap }) => startedToast('Order cycle created', overlap),
        failed: 'Failed to create order cycle',
      },
    )
    if (made) onClose()
  }, notifyMissing)
  const go = (by: 1 | -1) => {
    form.clearErrors()
    setStep(wizardSteps[wizardSteps.indexOf(step) + by] ?? step)
  }
  const next = async () => {
    if (step !== 'review' && (await form.trigger(fieldOf[step]))) go(1)
  }
  const Step = steps[step]
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Create Order Cycle"
      actions={
        <WizardButtons
          step={step}
          busy={creating.isPending}
          onBack={() => go(-1)}
          onNext={() => void next()}
          onCreate={() => void create()}
          onClose={onClose}
        />
      }
    >
      <div className="flex flex-col gap-5 pb-2">
        <WizardProgress step={step} />
        <FormProvider {...form}>
          <Step />
        </FormProvider>
      </div>
    </Dialog>
  )
}

const notifyMissing = () =>
  adminToast({ title: 'Error', text: 'Missing required information', kind: 'error' })

type WizardButtonsProps = {
  step: WizardStep
  busy: boolean
  onBack: () => void
  onNext: () => void
  onCreate: () => void
  onClose: () => void
}

const WizardButtons = ({ step, busy, onBack, onNext, onCreate, onClose }: WizardButtonsProps) => (
  <>
    {step === wizardSteps[0] ? (
      <Button variant="secondary" onClick={onClose}>
        Cancel
      </Button>
    ) : (
      <Button variant="secondary" onClick={onBack} disabled={busy}>
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
      <Button onClick={onNext}>Next</Button>
    )}
  </>
)

// The second click of a double click on Next would press Create in its place.
const isFirstClick = (event: MouseEvent) => event.detail < 2

const stepNames: Record<WizardStep, string> = {
  'cycle-length': 'Cycle length',
  'start-date': 'Start date',
  'blocked-days': 'Blocked days',
  review: 'Review',
}

/** Where in the wizard we are: what is done, this step, what is to come. */
const WizardProgress = ({ step }: { step: WizardStep }) => {
  const at = wizardSteps.indexOf(step)
  return (
    <div>
      <ol className="grid grid-cols-4 gap-2">
        {wizardSteps.map((name, index) => (
          <li key={name} aria-current={index === at ? 'step' : undefined} className="flex flex-col gap-1.5">
            <span className={classes('h-1.5 rounded-sm', index <= at ? 'bg-brand-600' : 'bg-sand-200')} />
            <span
              className={classes(
                'hidden items-center gap-1 text-xs sm:flex',
                index === at ? 'font-semibold text-brand-800' : 'text-muted',
              )}
            >
              {index < at ? <Icon name="check" size="sm" /> : null}
              {stepNames[name]}
            </span>
          </li>
        ))}
      </ol>
      <p aria-live="polite" className="mt-2 text-sm font-semibold text-brand-800 sm:sr-only">
        {`Step ${at + 1} of ${wizardSteps.length}: ${stepNames[step]}`}
      </p>
    </div>
  )
}
