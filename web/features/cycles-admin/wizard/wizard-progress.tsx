import { classes } from '../../../lib/classes'
import { Icon } from '../../../ui/icon'
import { type WizardStep, wizardSteps } from './wizard'

const stepNames: Record<WizardStep, string> = {
  'cycle-length': 'Cycle length',
  'start-date': 'Start date',
  'blocked-days': 'Blocked days',
  review: 'Review',
}

/** Where in the wizard we are: what is done, this step, what is to come. */
export const WizardProgress = ({ step }: { step: WizardStep }) => {
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
