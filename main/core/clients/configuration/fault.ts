/** The problem that prevents a change of a client's configuration file, as a sentence. */
export class ConfigurationFault extends Error {}
