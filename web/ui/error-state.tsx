import { Button } from './button'
import { Icon } from './icon'

type ErrorStateProps = { title: string; detail?: string; onRetry?: () => void; retrying?: boolean }

/** A part of the page that could not be loaded, with a way to try again. */
export const ErrorState = ({ title, detail, onRetry, retrying }: ErrorStateProps) => (
  <div
    role="alert"
    className="flex flex-col items-center gap-3 rounded-lg border border-danger-200 bg-danger-50 px-4 py-8 text-center"
  >
    <Icon name="alert" size="xl" className="text-danger-600" />
    <p className="font-semibold text-danger-700">{title}</p>
    {detail ? <p className="max-w-form text-sm break-words text-sand-800">{detail}</p> : null}
    {onRetry ? (
      <Button variant="secondary" icon="refresh" onClick={onRetry} busy={retrying}>
        Try again
      </Button>
    ) : null}
  </div>
)
