import { Component, type ComponentType, createElement, type ReactNode } from 'react'

/** The props of what is shown instead of a part that could not be rendered. */
export interface FallbackProps {
  error: unknown
  /** Renders the part again. */
  resetErrorBoundary: () => void
}

interface Props {
  children: ReactNode
  /** What is shown instead; or a component that says why. */
  fallback?: ReactNode
  FallbackComponent?: ComponentType<FallbackProps>
}

interface State {
  /** In an object, because anything can be thrown. */
  failed: { error: unknown } | null
}

/** Keeps a part of the page that cannot be rendered from taking the rest with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null }
  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } }
  }
  private readonly reset = () => this.setState({ failed: null })
  override render(): ReactNode {
    const { children, fallback, FallbackComponent } = this.props
    const { failed } = this.state
    if (failed === null) return children
    return FallbackComponent
      ? createElement(FallbackComponent, { error: failed.error, resetErrorBoundary: this.reset })
      : fallback
  }
}
