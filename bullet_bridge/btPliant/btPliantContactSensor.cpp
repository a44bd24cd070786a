// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantContactSensor.h"

#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SensorData.h"

using btPliantInternal::toBullet;

namespace {
btVector3 perSecond(const pliant::Vector3& impulse, double step) {
    return step > 0 ? toBullet(pliant::Vector3(impulse / step)) : btVector3(0, 0, 0);
}
}  // namespace

btPliantContactSensor::btPliantContactSensor(std::unique_ptr<Data> data) : m_data(std::move(data)) {}
btPliantContactSensor::~btPliantContactSensor() = default;

const btPliantContactSensorInfo& btPliantContactSensor::getInfo() const {
    return m_data->info;
}
const std::vector<btPliantContactReading>& btPliantContactSensor::getContacts() const {
    return m_data->readings;
}
int btPliantContactSensor::getCount() const {
    return m_data->numbers.sums.count;
}
btVector3 btPliantContactSensor::getImpulse() const {
    return toBullet(m_data->numbers.sums.impulse);
}
btVector3 btPliantContactSensor::getFrictionImpulse() const {
    return toBullet(m_data->numbers.sums.friction);
}
double btPliantContactSensor::getDepth() const {
    return m_data->numbers.sums.depth;
}
double btPliantContactSensor::getNormalImpulse() const {
    return m_data->numbers.sums.normal;
}
double btPliantContactSensor::getSplitImpulse() const {
    return m_data->numbers.sums.split;
}
btVector3 btPliantContactSensor::getForce() const {
    return perSecond(m_data->numbers.sums.impulse, m_data->numbers.step);
}
btVector3 btPliantContactSensor::getTorque() const {
    return perSecond(m_data->numbers.sums.angularImpulse, m_data->numbers.step);
}
btVector3 btPliantContactSensor::getFilteredForce() const {
    return toBullet(m_data->numbers.filteredForce);
}
btVector3 btPliantContactSensor::getFilteredTorque() const {
    return toBullet(m_data->numbers.filteredTorque);
}
double btPliantContactSensor::getFilteredNormalForce() const {
    return m_data->numbers.filteredNormalForce;
}

void btPliantContactSensor::setTimeConstant(double seconds) {
    if (seconds >= 0 && std::isfinite(seconds)) m_data->info.m_timeConstant = seconds;
}

btVector3 btPliantContactSensor::getAccumulatedImpulse() const {
    return toBullet(m_data->numbers.accumulatedImpulse);
}
double btPliantContactSensor::getAccumulatedSeconds() const {
    return m_data->numbers.accumulatedSeconds;
}

void btPliantContactSensor::resetAccumulated() {
    m_data->numbers.accumulatedImpulse.setZero();
    m_data->numbers.accumulatedSeconds = 0;
}
