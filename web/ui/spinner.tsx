import { Icon } from './icon'

/** A turning mark with words for screen readers. For the very first load and busy buttons; else use Skeleton. */
export const Spinner = () => (
  <output className="inline-flex items-center">
    <Icon name="refresh" className="animate-spin" />
    <span className="sr-only">Loading</span>
  </output>
)

/** The whole page while there is nothing else to show. */
export const PageSpinner = () => (
  <div className="grid min-h-dvh place-items-center text-brand-700">
    <Spinner />
  </div>
)
