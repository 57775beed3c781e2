/** Fails with `late` after `ms`; the work itself goes on. */
export const withTimeout = async <Result>(
  ms: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}
