import { Component } from 'react'
import type { ReactNode } from 'react'
import { ErrorState } from '../ui/error-state'

type State = { broken: boolean }

/** Catches what no screen caught, above all a part of the application that could not be fetched. */
export class Breakdown extends Component<{ children: ReactNode }, State> {
  override state: State = { broken: false }

  static getDerivedStateFromError = (): State => ({ broken: true })

  override render() {
    if (!this.state.broken) return this.props.children
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
