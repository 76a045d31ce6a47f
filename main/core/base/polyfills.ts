/** Polyfills of what Node 20 lacks and the program uses. Imported first by each file that may run there. */

type Resolvers = ReturnType<typeof Promise.withResolvers<unknown>>;

// eslint-disable-next-line typescript/no-unnecessary-condition -- not there before Node 22
Promise.withResolvers ??= (() => {
  const made: Partial<Resolvers> = {};
  const promise = new Promise<unknown>((resolve, reject) => Object.assign(made, { resolve, reject }));
  return { ...made, promise };
}) as typeof Promise.withResolvers;
