/** Some of it, its functions with answers of which the test may leave out what nobody reads. */
type Part<Whole> = Whole extends (...asked: infer Asked) => unknown
  ? (...asked: Asked) => unknown
  : { [Key in keyof Whole]?: Part<Whole[Key]> }

/** Ports or doors of which a test gives those that its path uses; reaching for another one fails the test. */
export const standIn = <Whole>(part: Part<NoInfer<Whole>> | object): Whole => part as Whole
