/** Why the service cannot start, as one clear sentence for the person who starts it; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
