/* A ship by Nomoto's first-order model, T r' + r = K delta, as an FMU for co-simulation by FMI 2.0.
 * A step is exact for a constant rudder, apart from the place, which takes the mean heading. */
#include <math.h>
#include <stdlib.h>

enum { DELTA, PSI, EAST, NORTH, K, T, U0, VALUES };
typedef double Ship[VALUES + 1]; /* the last one: r */

static void start(double *s)
{
    for (int i = 0; i <= VALUES; i++) s[i] = 0.0;
    s[K] = 0.2, s[T] = 5.0, s[U0] = 1.0;
}

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
void *fmi2Instantiate(const char *n, int k, const char *g, const char *r, const void *c, int v, int l)
{
    double *s = malloc(sizeof(Ship));
    start(s);
    return s;
}
void fmi2FreeInstance(void *s) { free(s); }
int fmi2Reset(void *s) { start(s); return 0; }
int fmi2SetupExperiment(void *s, int a, double b, double t, int c, double d) { return t != 0.0 ? 3 : 0; }
int fmi2EnterInitializationMode(void *s) { return 0; }
int fmi2ExitInitializationMode(void *s) { return 0; }
int fmi2Terminate(void *s) { return 0; }
int fmi2GetReal(double *s, const unsigned *vr, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = s[vr[i]];
    return 0;
}
int fmi2SetReal(double *s, const unsigned *vr, size_t n, const double *in)
{
    for (size_t i = 0; i < n; i++) s[vr[i]] = in[i];
    return 0;
}
int fmi2DoStep(double *s, double t, double h, int n)
{
    double r = s[VALUES], steady = s[K] * s[DELTA], fades = exp(-h / s[T]);
    double turned = steady * h + (r - steady) * s[T] * (1.0 - fades), mean = s[PSI] + turned / 2;
    if (s[DELTA] > 1.0) return 3; /* it refuses a rudder beyond 1 rad */
    s[VALUES] = steady + (r - steady) * fades;
    s[PSI] += turned;
    s[NORTH] += s[U0] * h * cos(mean), s[EAST] += s[U0] * h * sin(mean);
    return 0;
}
#define REFUSED(name) int name(void *s) { return 3; }
REFUSED(fmi2SetDebugLogging) REFUSED(fmi2GetInteger) REFUSED(fmi2GetBoolean)
REFUSED(fmi2GetString) REFUSED(fmi2SetInteger) REFUSED(fmi2SetBoolean) REFUSED(fmi2SetString)
REFUSED(fmi2GetFMUstate) REFUSED(fmi2SetFMUstate) REFUSED(fmi2FreeFMUstate)
REFUSED(fmi2SerializedFMUstateSize) REFUSED(fmi2SerializeFMUstate) REFUSED(fmi2DeSerializeFMUstate)
REFUSED(fmi2GetDirectionalDerivative) REFUSED(fmi2SetRealInputDerivatives)
REFUSED(fmi2GetRealOutputDerivatives) REFUSED(fmi2CancelStep) REFUSED(fmi2GetStatus)
REFUSED(fmi2GetRealStatus) REFUSED(fmi2GetIntegerStatus) REFUSED(fmi2GetBooleanStatus)
REFUSED(fmi2GetStringStatus)
