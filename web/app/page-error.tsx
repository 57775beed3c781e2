import { ErrorState } from '../ui/error-state'

/** In place of a page that failed to render, above all because its code could not be fetched. */
export const PageError = () => (
  <main className="mx-auto max-w-page p-4">
    <ErrorState
      title="This page could not be shown"
      detail="Please check your connection. Your cart is kept on this device."
      onRetry={() => window.location.reload()}
    />
  </main>
)
