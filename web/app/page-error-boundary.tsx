import { Component, type ReactNode } from 'react'
import { ErrorState } from '../ui/error-state'

type State = { failed: boolean }

/** Shown in place of a page that failed to render, above all because its code could not be fetched. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError = (): State => ({ failed: true })

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="mx-auto max-w-page p-4">
        <ErrorState
          title="This page could not be shown"
          detail="Please check your connection. Your cart is kept on this device."
          onRetry={() => window.location.reload()}
        />
      </main>
    )
  }
}
